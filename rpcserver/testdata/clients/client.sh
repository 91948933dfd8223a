# Calls the wallet as scripts with curl do: client.sh HTTP-URL WS-URL. One line for each way; a way that fails ends it.
set -u
rpc=$1

try() { # NAME OPTION…: curl with these options, and the call in place of CALL
	name=$1 && shift
	call='{"jsonrpc":"2.0","id":"'$name'","method":"is_locked","params":[]}'
	for option; do
		[ "$option" = CALL ] && option=$call
		set -- "$@" "$option" && shift
	done
	answer=$(printf %s "$call" | curl -sS --max-time 20 "$@" "$rpc" 2>&1)
	case $answer in
	*'"id":"'$name'"'*'"result":false'*) echo "ok $name" ;;
	*) echo "failed $name: $answer" >&2 && exit 1 ;;
	esac
}

try curl-d -d CALL
try curl-json-header -H 'Content-Type: application/json' -d CALL
try curl-no-type -H 'Content-Type:' -d CALL
try curl-octet-stream -H 'Content-Type: application/octet-stream' --data-binary CALL
try curl-text-json -H 'Content-Type: text/json; charset=utf-8' -d CALL
try curl-json-rpc -H 'Content-Type: application/json-rpc' -d CALL
try curl-empty-login -u : -d CALL
try curl-empty-authorization -H 'Authorization;' -d CALL
try curl-1.0 --http1.0 -d CALL
try curl-http2 --http2 -d CALL
try curl-chunked -H 'Transfer-Encoding: chunked' --data-binary @-
try curl-expect -H 'Expect: 100-continue' -d CALL
try curl-compressed --compressed -d CALL
