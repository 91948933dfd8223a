package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"billfold/cmd/billfold/shell"
	"billfold/walletcore/cosign"

	"github.com/spf13/cobra"
)

// exportLife is the default lifetime of an exported transaction.
const exportLife = time.Hour

// export is the file that a spend is written to instead of being signed.
type export struct {
	file    string
	expires time.Duration
}

// life returns the lifetime of the transaction in seconds.
func (e export) life() (uint32, error) {
	if e.expires < time.Second || e.expires > time.Duration(cosign.MaxLife)*time.Second {
		return 0, shell.Misuse(errors.New("a transaction file lasts for a day at most; write --expires like 30m or 12h"))
	}
	return uint32(e.expires / time.Second), nil
}

// run writes the transaction of a spend to the file.
func (e export) run(ctx context.Context, cmd *cobra.Command, sh *shell.Shell, c shell.Command) error {
	var err error
	if c.Export, err = e.life(); err != nil {
		return err
	}
	if err := checkFree(e.file); err != nil {
		return err
	}
	result, err := sh.Run(ctx, c)
	if err != nil {
		return err
	}
	file, err := cosign.Parse(result)
	if err != nil {
		return err
	}
	if err := writeTransaction(e.file, file, false); err != nil {
		return err
	}
	noteChange(cmd)("")
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "transaction %s is in %s; it can be signed and broadcast until %s UTC\n",
		file.ID, e.file, file.Transaction.Expiration)
	return err
}
