#!/bin/sh
# Ends the server where the package is removed, and not where another version takes its place. dpkg says remove, rpm counts what is left.
set -e
case "$1" in
remove | 0)
	if [ -d /run/systemd/system ]; then
		systemctl --no-reload disable --now billfold.service billfold.socket billfold-http.socket || true
	fi
	;;
esac
