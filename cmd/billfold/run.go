package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"billfold/daemonclient"

	"github.com/spf13/cobra"
)

// runOnce reads the settings, starts the wallet and calls do.
func runOnce(cmd *cobra.Command, s *settings, do func(context.Context, *program) error) error {
	if err := s.read(); err != nil {
		return err
	}
	return runWithSettings(cmd, s, do)
}

// runWithSettings is runOnce after the settings were read.
func runWithSettings(cmd *cobra.Command, s *settings, do func(context.Context, *program) error) error {
	return runProgram(cmd, &program{settings: s, log: s.logger()}, do)
}

// runProgram is runWithSettings for a program that is not built yet.
func runProgram(cmd *cobra.Command, p *program, do func(context.Context, *program) error) error {
	s := p.settings
	p, err := newProgramWith(context.Background(), p, s.openStore)
	if err != nil {
		return err
	}
	defer p.close()
	s.warnPlain(cmd.ErrOrStderr())
	return p.run(cmd.Context(), func(ctx context.Context) error { return do(ctx, p) })
}

// warnPlain names the daemons whose connections anybody in between can read and change.
func (s *settings) warnPlain(out io.Writer) {
	if s.sandbox {
		return
	}
	if plain := daemonclient.PlainURLs(s.daemonURLs); len(plain) > 0 {
		fmt.Fprintf(out, "warning: %s: anybody in between can read and change what the wallet and this daemon send; "+
			"use a wss:// address, or a tunnel\n",
			strings.Join(plain, ", "))
	}
}
