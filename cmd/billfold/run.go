package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"billfold/daemonclient"
)

// runOnce does one thing with the wallet of the settings.
func runOnce(cmd *cobra.Command, s *settings, do func(context.Context, *program) error) error {
	if err := s.read(); err != nil {
		return err
	}
	return runRead(cmd, s, do)
}

// runRead is runOnce with settings that were read.
func runRead(cmd *cobra.Command, s *settings, do func(context.Context, *program) error) error {
	p, err := newProgram(s)
	if err != nil {
		return err
	}
	defer p.close()
	s.warn(cmd.ErrOrStderr())
	return p.run(cmd.Context(), func(ctx context.Context) error { return do(ctx, p) })
}

// warn names the daemons whose lines anybody on the way can read and change.
func (s *settings) warn(out io.Writer) {
	if s.sandbox {
		return
	}
	if plain := daemonclient.PlainURLs(s.daemonURLs); len(plain) > 0 {
		fmt.Fprintf(out, "warning: %s: anybody in between can read and change what the wallet and this daemon send; "+
			"use a wss:// address, or a tunnel\n",
			strings.Join(plain, ", "))
	}
}
