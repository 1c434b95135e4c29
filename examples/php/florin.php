<?php
// The requests of a shop's server. PHP 8.1 or newer, no packages and no extensions.
declare(strict_types=1);

const TRIES = 4;

// region: ask
/**
 * One request. $key names what the shop wants, such as `pay-cart-1881`: with the same key it has one effect, so it may be
 * repeated after a failure of any kind. Throws when no answer came: then the outcome is unknown, and the shop asks again later.
 */
function ask(string $method, string $path, ?array $body = null, ?string $key = null): array
{
    for ($tries = 1; ; $tries++) {
        $answer = send($method, $path, $body, $key);
        $failed = $answer === null || $answer['http'] === 429 || $answer['http'] >= 500;
        if (!$failed) return $answer;
        if ($tries === TRIES) throw new RuntimeException("no answer to $method $path: in doubt, ask again with the same key");
        usleep(200_000 * 2 ** $tries);
    }
}

function send(string $method, string $path, ?array $body, ?string $key): ?array
{
    $headers = ['x-api-key: ' . getenv('PRIVATE_KEY'), 'connection: close'];
    if ($body !== null) $headers[] = 'content-type: application/json';
    if ($key !== null) $headers[] = "idempotency-key: $key";
    $http = [
        'method' => $method,
        'header' => $headers,
        'content' => $body === null ? '' : json_encode($body),
        'timeout' => 30,
        'ignore_errors' => true, // a refusal has a body that says why
    ];
    $text = @file_get_contents((getenv('API') ?: 'http://127.0.0.1:8080') . $path, false, stream_context_create(['http' => $http]));
    $answer = $text === false ? null : json_decode($text, true);
    if (!is_array($answer) || !preg_match('/^HTTP\S+ (\d+)/', $http_response_header[0] ?? '', $found)) return null;
    return ['http' => (int) $found[1]] + $answer;
}
// endregion
