<?php
// Takes notifications: each once, the newest of an order wins. A file an order stands for a row of your database.
declare(strict_types=1);

require_once __DIR__ . '/signature.php';

if ((getenv('NOTIFICATION_SECRETS') ?: '') === '') error_log('NOTIFICATION_SECRETS is empty: every notification is refused');

// region: take
/** What to answer, and what was done. Answer 2xx only after it is stored: everything else is sent again. */
function take(array $headers, string $body): array
{
    $problem = problem_of($headers, $body, explode(' ', getenv('NOTIFICATION_SECRETS') ?: ''));
    if ($problem !== null) return [400, $problem];
    $told = json_decode($body, true);
    if (($told['order_id'] ?? '') === '') return [200, 'noted']; // `test`, and news about a checkout or customer
    return locked($told['order_id'], function (array $known) use ($headers, $told): array {
        $id = $headers['webhook-id'];
        if (in_array($id, $known['ids'], true)) return [$known, 'repeated'];
        $known['ids'][] = $id;
        if ($told['sequence'] < $known['sequence']) return [$known, 'older']; // came late: what is known is newer
        // an event in between did not come: read the order if you book each capture and refund
        $missed = ($told['previous_sequence'] ?? 0) > $known['sequence'];
        $order = [
            'status' => $told['status'],
            'sequence' => $told['sequence'],
            'code' => $told['result']['code'] ?? null,
            'captured' => $told['capture_total_amount'],
            'refunded' => $told['refund_total_amount'],
            'missed' => $missed,
        ];
        return [$order + $known, $missed ? 'applied, one is missing' : 'applied'];
    });
}
// endregion

/** Reads, changes and stores what is known of an order, for one process at a time; whole or not at all, as a transaction. */
function locked(string $order_id, callable $change): array
{
    $folder = getenv('STATE') ?: 'state';
    if (!is_dir($folder)) @mkdir($folder, 0700, true);
    $file = "$folder/" . basename($order_id) . '.json';
    $lock = fopen("$file.lock", 'c');
    flock($lock, LOCK_EX);
    $known = is_file($file) ? json_decode(file_get_contents($file), true) : ['sequence' => 0, 'ids' => []];
    [$order, $did] = $change($known);
    $stored = file_put_contents("$file.new", json_encode($order)) !== false && rename("$file.new", $file);
    if (!$stored) throw new RuntimeException("$file cannot be stored");
    fclose($lock);
    return [200, $did];
}
