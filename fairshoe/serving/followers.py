"""Followers of topics: they wait on the event loop, and get the newest view, made once for all who see the same."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping, MutableMapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple

FOLLOW = "fairshoe.follow"
"""Key of a request's environment for the application's `FollowRequest`: the answer then goes on, or waits."""
CROWDED = "fairshoe.crowded"
"""Key that is set if no more followers are allowed: ADDRESS or ALL. The application says so."""
ADDRESS, ALL = "address", "all"
KEEP_ALIVE = 15.0
"""Seconds after which a stream that has nothing to say says so."""
STREAM_SECONDS = 900.0
"""Seconds after which a stream ends, and its client begins another one: a client that never reads does not."""
COMMENT = b":\n\n"
PASSING_SECONDS = 0.25
"""After this time a change is shown that another one was expected to follow at once."""
WAKE_BATCH = 64
"""Number of followers woken before the loop does something else."""
logger = logging.getLogger("fairshoe.service")

Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
View = str | None
"""All viewers with one value see the same of a topic."""


class FollowRequest(NamedTuple):
    """A request to follow a topic after `version`, for `seconds` or else in a stream; `whose`: a bound applies to
    it."""

    topic: str
    view: View
    version: int
    seconds: float | None
    whose: str = ""


class FollowedView(NamedTuple):
    """A view's state at a version: as an answer's headers and body, and as an event."""

    version: int
    headers: list[tuple[bytes, bytes]]
    body: bytes
    event: bytes


Show = Callable[[str, Sequence[View]], Awaitable[Mapping[View, FollowedView]]]
"""Gives what each of the views sees of a topic now; a view that may see nothing any more is left out."""


class Follower:
    """One that waits; `news` is set by whatever may end that."""

    def __init__(self, wish: FollowRequest) -> None:
        self.wish = wish
        self.news = asyncio.Event()
        self.has_left = False


class Topic:
    """The followers of one subject; by view, the version last looked at, and what was seen."""

    def __init__(self) -> None:
        self.followers: set[Follower] = set()
        self.views: Counter[View] = Counter()
        self.upto: dict[View, int] = {}
        self.shown: dict[View, FollowedView | None] = {}
        self.showing: asyncio.Task[None] | None = None


class FollowerHub:
    """`show` makes what is seen; `most` follow at a time, and `most_of_one` (0: any number) of each who is counted."""

    def __init__(self, show: Show, most: int, most_of_one: int) -> None:
        self._show = show
        self._most, self._most_of_one = most, most_of_one
        self._versions: dict[str, int] = {}
        self._topics: dict[str, Topic] = {}
        self._of: Counter[str] = Counter()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._is_closed = False
        self.count = 0

    def publish(self, versions: Mapping[str, int], passing: Collection[str] = ()) -> None:
        """Announce changed topics with their versions; `passing` ones are looked at PASSING_SECONDS later.
        Thread-safe."""
        self._versions.update(versions)
        for name in versions:
            if name in self._topics and (loop := self._loop) is not None:
                with suppress(RuntimeError):  # the loop is closed
                    if name in passing:
                        loop.call_soon_threadsafe(loop.call_later, PASSING_SECONDS, self._look, name)
                    else:
                        loop.call_soon_threadsafe(self._look, name)

    def end(self) -> None:
        """End all following. Called by the loop."""
        self._is_closed = True
        for topic in self._topics.values():
            for follower in topic.followers:
                follower.news.set()

    # On the loop: a request that follows.

    def full_limit(self, wish: FollowRequest) -> str:
        """Return the limit that leaves no room for one more follower: ADDRESS, ALL, or ""."""
        if self.count >= self._most:
            return ALL
        return ADDRESS if wish.whose and 0 < self._most_of_one <= self._of[wish.whose] else ""

    async def stream(self, wish: FollowRequest, receive: Receive, send: Send) -> None:
        """Send events until the caller goes or may see nothing, for STREAM_SECONDS at most; slow ones get the
        newest."""
        with self._joined(wish, receive) as follower:
            version, going, end = wish.version, True, time.monotonic() + STREAM_SECONDS
            while going and time.monotonic() < end:
                shown, going = await self._next(follower, version, KEEP_ALIVE)
                if shown is not None:
                    version = shown.version
                if going:
                    data = COMMENT if shown is None else shown.event
                    await send({"type": "http.response.body", "body": data, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def wait(self, wish: FollowRequest, receive: Receive) -> FollowedView | None:
        """Wait for a newer version and return it; None if there is none in time."""
        with self._joined(wish, receive) as follower:
            return (await self._next(follower, wish.version, wish.seconds or 0.0))[0]

    async def _next(self, follower: Follower, version: int, seconds: float) -> tuple[FollowedView | None, bool]:
        """Wait for a view newer than `version`, None if none came in time; and whether the stream goes on."""
        topic, view = self._topics[follower.wish.topic], follower.wish.view
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while True:
                    shown = topic.shown.get(view)
                    if self._is_closed or follower.has_left or (shown is None and view in topic.shown):
                        return None, False
                    if shown is not None and shown.version > version:
                        return shown, True
                    follower.news.clear()
                    await follower.news.wait()
        return None, True

    @contextmanager
    def _joined(self, wish: FollowRequest, receive: Receive) -> Iterator[Follower]:
        follower, topic = Follower(wish), self._topics.setdefault(wish.topic, Topic())
        self._loop = asyncio.get_running_loop()
        self._of[wish.whose] += 1
        self.count += 1
        topic.followers.add(follower)
        topic.views[wish.view] += 1
        topic.upto.setdefault(wish.view, wish.version)
        watch = self._loop.create_task(_watch(follower, receive))
        self._look(wish.topic)  # it may have changed since the caller was answered
        try:
            yield follower
        finally:
            watch.cancel()
            self.count -= 1
            _less(self._of, wish.whose)
            topic.followers.discard(follower)
            if _less(topic.views, wish.view):
                topic.upto.pop(wish.view)
                topic.shown.pop(wish.view, None)
            if not topic.followers:
                self._topics.pop(wish.topic, None)

    def _look(self, name: str) -> None:
        topic = self._topics.get(name)
        if topic is not None and topic.showing is None and self._stale(name, topic):
            topic.showing = asyncio.get_running_loop().create_task(self._bring(name, topic))

    def _stale(self, name: str, topic: Topic) -> list[View]:
        newest = self._versions.get(name, 0)
        return [view for view, upto in topic.upto.items() if upto < newest]

    async def _bring(self, name: str, topic: Topic) -> None:
        """Show everybody the newest view; later changes are looked at once more."""
        try:
            while views := self._stale(name, topic):
                newest = self._versions[name]
                try:
                    shown = await self._show(name, views)
                except Exception:
                    logger.exception("what is followed at %s", name)
                    shown = {}  # they come again, and are told why
                for view in views:
                    if view in topic.upto:
                        topic.upto[view] = newest
                        topic.shown[view] = shown.get(view)
                for number, follower in enumerate(list(topic.followers), 1):
                    follower.news.set()
                    if number % WAKE_BATCH == 0:
                        await asyncio.sleep(0)
        finally:
            topic.showing = None


async def _watch(follower: Follower, receive: Receive) -> None:
    """See it when the caller goes."""
    while (await receive())["type"] != "http.disconnect":
        pass
    follower.has_left = True
    follower.news.set()


def _less(counter: Counter[Any], key: object) -> bool:
    """One less; gives whether that was the last."""
    counter[key] -= 1
    if counter[key]:
        return False
    del counter[key]
    return True
