<?php
// Is this notification from Florin? Standard Webhooks with nothing but PHP.
declare(strict_types=1);

const TOLERANCE_S = 300;

// region: signature
/** Null when it is signed and fresh, else what is wrong. $body is the bytes as they came, $secrets all that are good now. */
function problem_of(array $headers, string $body, array $secrets, ?int $now_s = null): ?string
{
    $id = $headers['webhook-id'] ?? '';
    $timestamp = $headers['webhook-timestamp'] ?? '';
    if (!ctype_digit($timestamp) || abs(($now_s ?? time()) - (int) $timestamp) > TOLERANCE_S) return 'old';
    foreach ($secrets as $secret) {
        // after whsec_ stands base64; a secret of your own, without it, is the key as it is
        $key = str_starts_with($secret, 'whsec_') ? base64_decode(substr($secret, 6)) : $secret;
        if ($key === '') continue; // none is set: anybody could sign with it
        $wanted = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
        foreach (explode(' ', $headers['webhook-signature'] ?? '') as $given) {
            if (hash_equals($wanted, $given)) return null;
        }
    }
    return 'forged';
}
// endregion
