"""The workers of a Dask cluster, which audit shares of a log that each of them reads from the same path."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from fairshoe.errors import InputError, missing

from .pool import WorkerPool
from .program import program_hash

CONNECT_TIMEOUT = 10
"""Seconds in which the scheduler answers."""


@contextmanager
def cluster(address: str, source: str = "") -> Iterator[WorkerPool]:
    """Use a Dask scheduler's workers, such as `tcp://host:8786`: a share a thread, moved if one dies. They read
    the entries from the fsspec address `source`; from the path of here if it is "". Raises InputError."""
    try:
        from distributed import Client
    except ImportError:
        raise missing("cluster", "--cluster", "distributed") from None
    try:
        client = Client(address, timeout=CONNECT_TIMEOUT, set_as_default=False)
    except (OSError, ValueError) as error:
        remedy = "check the address: dask scheduler prints it"
        raise InputError(f"no scheduler answers: {error}", where=address, remedy=remedy) from None
    with client:
        many = sum(client.nthreads().values())
        if not many:
            raise InputError("the cluster has no worker", where=address, remedy=f"dask worker {address} --nthreads 1")
        if set(client.run(program_hash).values()) != {program_hash()}:
            remedy = "install the same version of fairshoe on every worker"
            raise InputError("a worker has another program", where=address, remedy=remedy)
        yield WorkerPool(client.get_executor(pure=False), many, True, source)
