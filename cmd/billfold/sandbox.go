package main

import (
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"billfold/sandbox"
)

func sandboxCommand() *cobra.Command {
	var listen, genesis string
	var blockTime time.Duration
	cmd := &cobra.Command{
		Use:   "sandbox",
		Short: "Run the embedded ledger alone, serving the daemon interface",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return runSandbox(cmd, listen, genesis, blockTime) },
	}
	cmd.Flags().StringVar(&listen, "listen", sandbox.DefaultListen, "address for websocket and HTTP")
	cmd.Flags().StringVar(&genesis, "genesis", "", "begin from this file, in the node's own format")
	cmd.Flags().DurationVar(&blockTime, "block-time", sandbox.DefaultBlockTime, "time between blocks")
	return cmd
}

func runSandbox(cmd *cobra.Command, listen, genesis string, blockTime time.Duration) error {
	opt := sandbox.Options{Listen: listen, BlockTime: blockTime}
	if genesis != "" {
		data, err := os.ReadFile(genesis)
		if err != nil {
			return fmt.Errorf("the genesis file cannot be read: %w", err)
		}
		if opt.Genesis, err = sandbox.ReadGenesis(data); err != nil {
			return fmt.Errorf("%s is not a genesis: %w", genesis, err)
		}
	}
	box, err := sandbox.New(opt)
	if err != nil {
		return err
	}
	out := cmd.OutOrStdout()
	fmt.Fprintf(out, "chain id   %s\nwebsocket  %s\nHTTP       %s\n", box.ChainID(), box.URL(), box.HTTPURL())
	for _, k := range box.Demo() {
		fmt.Fprintf(out, "demo key   %-6s %s\n", k.Account, k.Key.WIF())
	}
	return box.Run(cmd.Context())
}
