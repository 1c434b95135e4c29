<?php
// A shop that sends its payers to the hosted page: php -S 127.0.0.1:3000 examples/php/shop.php
// Its carts are files: yours are rows of a database.
declare(strict_types=1);

require_once __DIR__ . '/florin.php';
require_once __DIR__ . '/outcome.php';
require_once __DIR__ . '/notifications.php';

// no answer: nothing is known, and the payer sees no inner workings
set_exception_handler(function (Throwable $error): void {
    error_log((string) $error);
    http_response_code(500);
    echo page('<h1>Something went wrong</h1><p>Please look at your orders before you pay again.</p>');
});

const NOT_PAID = '<h1>Not paid</h1><p>Nothing was charged.</p>';
const WAITING = '<meta http-equiv="refresh" content="2"><h1>Waiting for your bank</h1><p>Please do not pay again.</p>';
const UNFINISHED = '<h1>Thank you</h1><p>Your bank agreed, but the payment is not finished. We will write to you.</p>';

$shop = getenv('SHOP') ?: 'http://127.0.0.1:3000';
$carts = (getenv('STATE') ?: 'state') . '/carts';
if (!is_dir($carts)) @mkdir($carts, 0700, true);

[, $first, $id] = explode('/', parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH)) + ['', '', ''];

// region: checkout
if ($_SERVER['REQUEST_METHOD'] === 'POST' && $first === 'buy') {
    $id = bin2hex(random_bytes(16));
    $back = "$shop/back/$id";
    $answer = ask('POST', '/payment/checkout', [
        'type' => 'hosted_page',
        'operation_type' => 'direct_capture',
        'authentication_indicator' => 'ask_3ds',
        'amount' => '42.50',
        'currency' => 'EUR',
        'order_merchant_id' => $id,
        'accept_url' => $back,
        'decline_url' => $back,
        'cancel_url' => $back,
        'pending_url' => $back,
        'exception_url' => $back,
    ], "checkout-$id");
    if (($answer['result']['code'] ?? '') !== '011111') throw new RuntimeException($answer['detail'] ?? 'no checkout');
    // a payment of a cart that is not kept would be of nobody
    $kept = @file_put_contents("$carts/$id", $answer['checkout']['checkout_id']);
    if ($kept === false) throw new RuntimeException("$carts/$id cannot be stored");
    header("location: {$answer['redirect_url']}", true, 303); // the payer pays there and comes back
    return;
}
// endregion

// region: back
if ($first === 'back' && ctype_xdigit($id) && is_file("$carts/$id")) {
    // the address proves nothing: the checkout knows its orders, the newest first, and each what became of it
    $orders = found(ask('GET', '/payment/checkout/' . file_get_contents("$carts/$id")))['checkout']['orders'];
    $orders = array_map(fn(array $one) => found(ask('GET', "/payment/order/{$one['order_id']}")), $orders);
    $doubt = in_array('wait', array_map('what_now', $orders), true);
    echo page(match ($orders[0]['status'] ?? '') {
        // a refund or a cancel that was refused leaves the payment as it was
        'authorization_successful', 'capture_successful', 'refund_declined', 'authorization_cancel_declined' =>
            '<h1>Thank you</h1><p>Your order is paid.</p>',
        'refund_requested', 'refund_successful' => '<h1>Refund</h1><p>You were charged, and get money back.</p>',
        // the capture of an authorized order: the money is held, and you may capture again
        'capture_declined' => $doubt ? WAITING : UNFINISHED,
        // that nothing was charged is said only where it is proved, of every try
        '', 'risk_assessment_declined', 'authentication_declined', 'authorization_declined',
        'authorization_cancelled', 'authorization_expired' => $doubt ? WAITING : NOT_PAID,
        default => WAITING,
    });
    return;
}
// endregion

if ($_SERVER['REQUEST_METHOD'] === 'POST' && $first === 'notifications') {
    http_response_code(500); // until it is stored: whatever fails before, it is sent again
    $headers = array_change_key_case(getallheaders(), CASE_LOWER);
    [$http, $did] = take($headers, file_get_contents('php://input'));
    error_log(($headers['webhook-id'] ?? '') . " $did");
    http_response_code($http);
    return;
}

if ($first === 'back') {
    http_response_code(404);
    echo page('<h1>Not found</h1><p>Please look at your orders before you pay again.</p>');
    return;
}

echo page('<form method="post" action="/buy"><button>Buy for 42.50 EUR</button></form>');

/** A refused read says nothing about the payment. */
function found(array $answer): array
{
    if ($answer['http'] !== 200) throw new RuntimeException($answer['detail'] ?? 'not found');
    return $answer;
}

function page(string $body): string
{
    return "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Shop</title>$body";
}
