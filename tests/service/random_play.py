"""What players do who choose at random among what they may."""

from fairshoe.client import Problem


def something(seat, rng):
    """One of the things that are expected; now and then one that nobody waits for."""
    forms = [form for form in seat.expects() if form["do"] in ("waiver", "bets") or not form.get("may")]
    wanted = rng.choice(forms or [None])
    if wanted is None:
        return
    if wanted["do"] == "decisions":
        move = rng.choice(wanted["moves"])
        fields = {}
        if "high" in move:
            fields["amount"] = rng.randint(move["low"], move["high"])
        if "among" in move:
            many = rng.randint(move["fewest"], move["most"])
            fields["chosen"] = sorted(rng.sample(move["among"], many))
        seat.send("decisions", round=wanted["round"], step=wanted["step"], move=move["move"], **fields)
    elif wanted["do"] == "bets":
        amount = rng.randrange(wanted["low"], min(wanted["high"], 40) + 1, wanted["unit"])
        try_to(seat.send, "bets", round=wanted["round"], bets=rng.choice([[], [{"amount": amount}]]))
    elif wanted["do"] == "shoe":
        if try_to(seat.send, "shoe") != 200:
            try_to(seat.send, "chips", op="buy-in", amount=10_000)
    else:
        seat.contribute(waive=True)


def try_to(call, *args, **fields):
    """The status of the answer: done, or not at this point, or not by the rules."""
    try:
        call(*args, **fields)
    except Problem as problem:
        if problem.status not in (409, 422):
            raise
        return problem.status
    return 200
