// Package packaging holds what an operator installs beside the program, for commands that show it.
package packaging

import _ "embed"

// Unit is the unit with which systemd runs the wallet server.
//
//go:embed systemd/billfold.service
var Unit string
