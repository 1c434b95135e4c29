"""What a shop does with every answer."""

# region: outcome
DONE = {"011111", "911111", "9111111", "944444", "955555", "9555555", "966666", "977777", "999999", "922222"}
PENDING = {"421080", "521080", "621080", "721080"}


def what_now(answer):
    """A word for an answer: what the shop does next."""
    code = answer["result"]["code"]
    if answer.get("redirect_url"):
        return "redirect"  # send the payer there; nothing is decided
    # not decided: neither paid nor failed. A decline that the bank contradicts is doubt, too
    if answer.get("is_in_doubt") or code in PENDING:
        return "wait"
    if code in DONE:
        return "done"
    if code == "111013":
        return "repeat"  # the same request with the same Idempotency-Key
    if code == "111035":
        return "read"  # another order is on its way: read the order that the answer names
    if code.startswith("11") or code == "404000":
        return "correct"  # the request is wrong: `errors` says where
    # refused before a bank was asked, or by the bank: nothing is held
    if code.startswith("15"):
        return "setup"  # no provider of yours takes it: no fault of the card
    if code.startswith("2"):
        return "card_again"  # the payer corrects the card, and it becomes a new token
    if code.startswith("13") or (code[0] == "4" and code[2] == "1"):
        return "other_card"  # by your rules, or for good
    if code[0] in "134":
        return "declined"  # the payer may try again or take another card
    return "refused"  # 5, 6, 7: this capture, refund or cancel was not done; the order stands as it stood
# endregion
