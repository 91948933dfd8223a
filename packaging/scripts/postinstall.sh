#!/bin/sh
# Makes the user and the folder of the server. It starts nothing: a wallet has to be made first. It restarts nothing either, since a server
# that is restarted is locked; systemctl restart billfold when it suits.
set -e
if [ -d /run/systemd/system ]; then
	systemd-sysusers billfold.conf
	systemd-tmpfiles --create billfold.conf
	systemctl daemon-reload
fi
