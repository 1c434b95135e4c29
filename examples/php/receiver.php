<?php
// A receiver of notifications: NOTIFICATION_SECRETS=whsec_… php -S 127.0.0.1:3000 examples/php/receiver.php
declare(strict_types=1);

require_once __DIR__ . '/notifications.php';

// region: receiver
http_response_code(500); // until it is stored: whatever fails before, it is sent again
$headers = array_change_key_case(getallheaders(), CASE_LOWER);
[$http, $did] = take($headers, file_get_contents('php://input')); // the bytes as they came, not parsed and written again
error_log(($headers['webhook-id'] ?? '') . " $did");
http_response_code($http);
// endregion
