<?php
// Calls the wallet as PHP programs do: client.php HTTP-URL WS-URL. One line for each way; a way that fails ends it.
$rpc = $argv[1];

function call(string $name): string
{
    return json_encode(['jsonrpc' => '2.0', 'id' => $name, 'method' => 'is_locked', 'params' => []]);
}

function check(string $name, $text): void
{
    $answer = json_decode((string) $text, true);
    if (!is_array($answer) || ($answer['result'] ?? null) !== false || $answer['id'] !== $name) {
        fwrite(STDERR, "failed $name: $text\n");
        exit(1);
    }
    echo "ok $name\n";
}

function stream(string $name, array $options): void
{
    global $rpc;
    $http = $options + ['method' => 'POST', 'content' => call($name), 'ignore_errors' => true];
    check($name, file_get_contents($rpc, false, stream_context_create(['http' => $http])));
}

stream('php-stream', ['header' => "Content-Type: application/json\r\n"]);
stream('php-stream-no-type', ['header' => "Accept: */*\r\n"]);
stream('php-stream-1.0', ['protocol_version' => 1.0, 'header' => "Content-type: application/json\r\nAuthorization: Basic " . base64_encode(':') . "\r\n"]);

if (!function_exists('curl_init')) {
    echo "skip curl is not part of this PHP\n";
    exit(0);
}
function curl(string $name, array $options): void
{
    global $rpc;
    $conn = curl_init($rpc);
    curl_setopt_array($conn, $options + [CURLOPT_POST => true, CURLOPT_POSTFIELDS => call($name), CURLOPT_RETURNTRANSFER => true]);
    check($name, curl_exec($conn));
}
curl('php-curl', []);
curl('php-curl-json', [CURLOPT_HTTPHEADER => ['Content-Type: application/json', 'Expect: 100-continue']]);
curl('php-curl-empty-login', [CURLOPT_USERPWD => ':', CURLOPT_HTTPAUTH => CURLAUTH_BASIC]);
curl('php-curl-encoding', [CURLOPT_ENCODING => '', CURLOPT_HTTPHEADER => ['Content-Type:']]);
