/* From words to order, as in order.py; many hashes, and HKDF, as in hashes.py: these are the specification. It knows
   no game.

   Limited API, so that one file serves every Python from 3.11 on. Built where there is a compiler; without it
   the Python does the same, slower. The tests hold the two against each other. */

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

/* SHA-256 (FIPS 180-4) by the instructions that a processor has for it. One that has none hashes in Python, which asks
   OpenSSL: the module has none of this there. */

#if defined(__x86_64__) && defined(__GNUC__)
#include <cpuid.h>
#include <immintrin.h>
#include <string.h>

#define BY_THE_PROCESSOR __attribute__((target("sha,sse4.1")))
#define BLOCK 64
#define DIGEST 32

static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static int has_sha(void)
{
    unsigned a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_SSSE3) || !(c & bit_SSE4_1))
        return 0;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_SHA);
}

/* The state is in two registers, as the instructions want it: a b e f and c d g h, the first in the highest lane. */
typedef struct {
    __m128i abef, cdgh;
} State;

BY_THE_PROCESSOR static State compressed(State state, const unsigned char *data, size_t blocks)
{
    const __m128i big_endian = _mm_set_epi8(12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3);
    for (; blocks > 0; blocks--, data += BLOCK) {
        State before = state;
        __m128i w[4]; /* the last sixteen words of the message schedule */
#pragma GCC unroll 16
        for (int i = 0; i < 16; i++) {
            if (i < 4) {
                w[i] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)data + i), big_endian);
            } else {
                __m128i seven_back = _mm_alignr_epi8(w[(i + 3) % 4], w[(i + 2) % 4], 4);
                __m128i sum = _mm_add_epi32(_mm_sha256msg1_epu32(w[i % 4], w[(i + 1) % 4]), seven_back);
                w[i % 4] = _mm_sha256msg2_epu32(sum, w[(i + 3) % 4]);
            }
            __m128i k = _mm_loadu_si128((const __m128i *)constants + i), words = _mm_add_epi32(w[i % 4], k);
            state.cdgh = _mm_sha256rnds2_epu32(state.cdgh, state.abef, words);
            state.abef = _mm_sha256rnds2_epu32(state.abef, state.cdgh, _mm_shuffle_epi32(words, 0x0e));
        }
        state.abef = _mm_add_epi32(state.abef, before.abef);
        state.cdgh = _mm_add_epi32(state.cdgh, before.cdgh);
    }
    return state;
}

static State begun(void)
{
    State state = {_mm_set_epi32(0x6a09e667, (int)0xbb67ae85, 0x510e527f, (int)0x9b05688c),
                   _mm_set_epi32(0x3c6ef372, (int)0xa54ff53a, 0x1f83d9ab, 0x5be0cd19)};
    return state;
}

/* The digest of what made `state`, so many whole `blocks`, then `prefix`, shorter than a block, then `data`. */
BY_THE_PROCESSOR static void finished(State state, uint64_t blocks, const unsigned char *prefix, size_t first,
                                      const unsigned char *data, size_t size, unsigned char *out)
{
    uint64_t bits = 8 * (blocks * BLOCK + first + size);
    unsigned char block[2 * BLOCK];
    memcpy(block, prefix, first);
    if (first + size >= BLOCK) {
        size_t most = BLOCK - first;
        memcpy(block + first, data, most);
        state = compressed(state, block, 1);
        data += most, size -= most, first = 0;
        state = compressed(state, data, size / BLOCK);
        data += size / BLOCK * BLOCK, size %= BLOCK;
    }
    memcpy(block + first, data, size);
    first += size;
    size_t end = first + 9 <= BLOCK ? BLOCK : 2 * BLOCK;
    memset(block + first, 0, end - first);
    block[first] = 0x80;
    for (int i = 1; i <= 8; i++, bits >>= 8)
        block[end - i] = (unsigned char)bits;
    state = compressed(state, block, end / BLOCK);

    const __m128i reversed = _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    __m128i abcd = _mm_unpackhi_epi64(state.cdgh, state.abef), efgh = _mm_unpacklo_epi64(state.cdgh, state.abef);
    _mm_storeu_si128((__m128i *)out, _mm_shuffle_epi8(abcd, reversed));
    _mm_storeu_si128((__m128i *)out + 1, _mm_shuffle_epi8(efgh, reversed));
}

/* HMAC-SHA256 (RFC 2104) under one key, no longer than a block: the states after its two padded blocks. */
typedef struct {
    State inner, outer;
} Hmac;

static Hmac keyed(const unsigned char *key, size_t size)
{
    unsigned char block[BLOCK];
    Hmac hmac;
    for (size_t i = 0; i < BLOCK; i++)
        block[i] = (i < size ? key[i] : 0) ^ 0x36;
    hmac.inner = compressed(begun(), block, 1);
    for (size_t i = 0; i < BLOCK; i++)
        block[i] ^= 0x36 ^ 0x5c;
    hmac.outer = compressed(begun(), block, 1);
    return hmac;
}

static void authenticated(const Hmac *hmac, const unsigned char *prefix, size_t first, const unsigned char *data,
                          size_t size, unsigned char *out)
{
    unsigned char hash[DIGEST];
    finished(hmac->inner, 1, prefix, first, data, size, hash);
    finished(hmac->outer, 1, hash, DIGEST, hash, 0, out);
}

/* HKDF-SHA256 (RFC 5869). `info` ends with a byte for the counter; `out` has room for whole digests. */
static void expanded(const unsigned char *key, size_t keysize, const unsigned char *salt, size_t saltsize,
                     unsigned char *info, size_t infosize, unsigned char *out, size_t count)
{
    unsigned char derived[DIGEST];
    Hmac hmac = keyed(salt, saltsize);
    authenticated(&hmac, key, 0, key, keysize, derived);
    hmac = keyed(derived, DIGEST);
    for (size_t i = 0; i < count; i++, out += DIGEST) {
        info[infosize - 1] = (unsigned char)(i + 1);
        authenticated(&hmac, i ? out - DIGEST : out, i ? DIGEST : 0, info, infosize, out);
    }
}

static PyObject *hkdf(PyObject *module, PyObject *const *arguments, Py_ssize_t given)
{
    (void)module;
    char *texts[3];
    Py_ssize_t sizes[3], size;
    if (given != 4)
        return PyErr_Format(PyExc_TypeError, "hkdf takes key, salt, info and size, not %zd arguments", given);
    for (int i = 0; i < 3; i++)
        if (PyBytes_AsStringAndSize(arguments[i], &texts[i], &sizes[i]) < 0)
            return NULL;
    if (sizes[1] > BLOCK)
        return PyErr_Format(PyExc_ValueError, "a salt of %zd bytes, not 0 to %d", sizes[1], BLOCK);
    if ((size = number(arguments[3], "size", 255 * DIGEST)) < 0)
        return NULL;

    size_t count = ((size_t)size + DIGEST - 1) / DIGEST, infosize = (size_t)sizes[2] + 1;
    unsigned char *out = PyMem_Malloc(count * DIGEST + infosize), *info = out + count * DIGEST;
    if (out == NULL)
        return PyErr_NoMemory();
    memcpy(info, texts[2], infosize - 1);
    expanded((unsigned char *)texts[0], (size_t)sizes[0], (unsigned char *)texts[1], (size_t)sizes[1], info, infosize,
             out, count);
    PyObject *result = PyBytes_FromStringAndSize((char *)out, size);
    PyMem_Free(out);
    return result;
}

static PyObject *sha256_each(PyObject *module, PyObject *const *arguments, Py_ssize_t given)
{
    (void)module;
    if (given != 2)
        return PyErr_Format(PyExc_TypeError, "sha256_each takes a prefix and a list, not %zd arguments", given);
    char *prefix;
    Py_ssize_t first;
    if (PyBytes_AsStringAndSize(arguments[0], &prefix, &first) < 0)
        return NULL;
    if (first >= BLOCK)
        return PyErr_Format(PyExc_ValueError, "a prefix of %zd bytes, not 0 to %d", first, BLOCK - 1);
    if (!PyList_Check(arguments[1]))
        return PyErr_Format(PyExc_TypeError, "sha256_each takes a list of bytes");
    PyObject *found = PyList_New(0);
    for (Py_ssize_t i = 0; found != NULL && i < PyList_Size(arguments[1]); i++) {
        char *data;
        Py_ssize_t size;
        unsigned char out[DIGEST];
        PyObject *next = NULL;
        if (PyBytes_AsStringAndSize(PyList_GetItem(arguments[1], i), &data, &size) == 0) {
            finished(begun(), 0, (unsigned char *)prefix, (size_t)first, (unsigned char *)data, (size_t)size, out);
            next = PyBytes_FromStringAndSize((const char *)out, DIGEST);
        }
        if (next == NULL || PyList_Append(found, next) < 0)
            Py_CLEAR(found);
        Py_XDECREF(next);
    }
    return found;
}

static PyMethodDef hashing[] = {
    {"sha256_each", (PyCFunction)(void (*)(void))sha256_each, METH_FASTCALL,
     PyDoc_STR("sha256_each(prefix, items): as fairshoe.protocol.hashes.sha256_each.")},
    {"hkdf", (PyCFunction)(void (*)(void))hkdf, METH_FASTCALL,
     PyDoc_STR("hkdf(key, salt, info, size): as fairshoe.protocol.hashes.hkdf.")},
    {NULL, NULL, 0, NULL},
};

static int begin(PyObject *module)
{
    return has_sha() ? PyModule_AddFunctions(module, hashing) : 0;
}
#else
static int begin(PyObject *module)
{
    (void)module;
    return 0;
}
#endif

static PyMethodDef functions[] = {
    {"order", (PyCFunction)(void (*)(void))order, METH_FASTCALL,
     PyDoc_STR("order(items, words, start, count): as fairshoe.protocol.order.order.")},
    {NULL, NULL, 0, NULL},
};

static PyModuleDef_Slot slots[] = {{Py_mod_exec, begin}, {0, NULL}};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "_kernel", PyDoc_STR("From words to order, many hashes, and HKDF, in C."), 0, functions, slots, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit__kernel(void)
{
    return PyModuleDef_Init(&definition);
}
