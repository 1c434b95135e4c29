<?php
// What a shop does with every answer.
declare(strict_types=1);

// region: outcome
const DONE = ['011111', '911111', '9111111', '944444', '955555', '9555555', '966666', '977777', '999999', '922222'];
const PENDING = ['421080', '521080', '621080', '721080'];

/** A word for an answer: what the shop does next. Codes are texts: compare them with ===. */
function what_now(array $answer): string
{
    $code = $answer['result']['code'];
    if (($answer['redirect_url'] ?? '') !== '') return 'redirect'; // send the payer there; nothing is decided
    // not decided: neither paid nor failed. A decline that the bank contradicts is doubt, too
    if (($answer['is_in_doubt'] ?? false) || in_array($code, PENDING, true)) return 'wait';
    if (in_array($code, DONE, true)) return 'done';
    if ($code === '111013') return 'repeat'; // the same request with the same Idempotency-Key
    if ($code === '111035') return 'read'; // another order is on its way: read the order that the answer names
    if (str_starts_with($code, '11') || $code === '404000') return 'correct'; // the request is wrong: `errors` says where
    // refused before a bank was asked, or by the bank: nothing is held
    if (str_starts_with($code, '15')) return 'setup'; // no provider of yours takes it: no fault of the card
    if (str_starts_with($code, '2')) return 'card_again'; // the payer corrects the card, and it becomes a new token
    if (preg_match('/^(13|4.1)/', $code)) return 'other_card'; // by your rules, or for good
    if (preg_match('/^[134]/', $code)) return 'declined'; // the payer may try again or take another card
    return 'refused'; // 5, 6, 7: this capture, refund or cancel was not done; the order stands as it stood
}
// endregion
