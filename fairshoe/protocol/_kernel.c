/* From words to order, as in order.py, which is the specification. It knows no game, no key and no hash.

   Limited API, so that one file serves every Python from 3.11 on. Built where there is a compiler; without it
   order.py does the same, slower. The tests hold the two against each other. */

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>
#include <stdint.h>

#define MOST 65536 /* items: the largest deck of the protocol, so that an index has 16 bits */

/* Steps 0 ... steps-1 of the forward Fisher-Yates on the indexes 0 ... size-1: whether there were words enough. */
static int walk(uint16_t *index, uint32_t size, uint32_t steps, const unsigned char *words, Py_ssize_t left)
{
    for (uint32_t i = 0; i < size; i++)
        index[i] = (uint16_t)i;
    for (uint32_t i = 0; i < steps; i++) {
        uint32_t m = size - i, word;
        do {
            if (left-- == 0)
                return 0;
            word = (uint32_t)words[0] << 24 | (uint32_t)words[1] << 16 | (uint32_t)words[2] << 8 | words[3];
            words += 4;
        } while (word > UINT32_MAX - m && word > UINT32_MAX - (0 - m) % m); /* 0 - m: 2^32 - m, the same modulo m */
        uint32_t j = i + word % m;
        uint16_t here = index[i];
        index[i] = index[j];
        index[j] = here;
    }
    return 1;
}

/* A new reference to items[place], or NULL with an exception. Of a Deck, which is a tuple, PySequence_GetItem would
   look up __getitem__ each time. */
static PyObject *item(PyObject *items, Py_ssize_t place)
{
    if (PyTuple_Check(items))
        return Py_XNewRef(PyTuple_GetItem(items, place));
    return PySequence_GetItem(items, place);
}

/* A new list of items[index[0]], items[index[1]], ... */
static PyObject *picked(PyObject *items, const uint16_t *index, Py_ssize_t count)
{
    PyObject *list = PyList_New(0);
    for (Py_ssize_t i = 0; list != NULL && i < count; i++) {
        PyObject *next = item(items, index[i]);
        if (next == NULL || PyList_Append(list, next) < 0)
            Py_CLEAR(list);
        Py_XDECREF(next);
    }
    return list;
}

/* An argument that is a whole number from 0 to `most`, or -1 with an exception. */
static Py_ssize_t number(PyObject *argument, const char *name, Py_ssize_t most)
{
    Py_ssize_t value = PyLong_AsSsize_t(argument);
    if (value == -1 && PyErr_Occurred())
        return -1;
    if (value < 0 || value > most) {
        PyErr_Format(PyExc_ValueError, "%s is %zd, not 0 to %zd", name, value, most);
        return -1;
    }
    return value;
}

static PyObject *order(PyObject *module, PyObject *const *arguments, Py_ssize_t given)
{
    (void)module;
    if (given != 4)
        return PyErr_Format(PyExc_TypeError, "order takes items, words, start and count, not %zd arguments", given);
    PyObject *items = arguments[0];
    Py_ssize_t size = PySequence_Size(items), length, start, count;
    char *words;
    if (size < 0 || PyBytes_AsStringAndSize(arguments[1], &words, &length) < 0)
        return NULL;
    if (size < 1 || size > MOST)
        return PyErr_Format(PyExc_ValueError, "%zd items, not 1 to %d", size, MOST);
    if ((start = number(arguments[2], "start", size)) < 0 || (count = number(arguments[3], "count", size - start)) < 0)
        return NULL;

    uint16_t *index = PyMem_Malloc((size_t)size * sizeof *index);
    if (index == NULL)
        return PyErr_NoMemory();
    Py_ssize_t steps = start + count < size ? start + count : size - 1;
    PyObject *result;
    if (walk(index, (uint32_t)size, (uint32_t)steps, (const unsigned char *)words, length / 4))
        result = picked(items, index + start, count);
    else
        result = Py_NewRef(Py_None);
    PyMem_Free(index);
    return result;
}

static PyMethodDef functions[] = {
    {"order", (PyCFunction)(void (*)(void))order, METH_FASTCALL,
     PyDoc_STR("order(items, words, start, count): as fairshoe.protocol.order.order.")},
    {NULL, NULL, 0, NULL},
};

static PyModuleDef_Slot slots[] = {{0, NULL}};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "_kernel", PyDoc_STR("From words to order, in C."), 0, functions, slots, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit__kernel(void)
{
    return PyModuleDef_Init(&definition);
}
