package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"billfold/walletcore/ledgerview"

	"github.com/spf13/cobra"
)

// version is the release; a build from a checkout adds its commit.
const version = "0.1.0"

func versionCommand() *cobra.Command {
	return withoutSettings(&cobra.Command{
		Use: "version", Short: "Print the version, and with which Go it was built", Args: exactly(),
		Run: func(cmd *cobra.Command, _ []string) {
			fmt.Fprintf(cmd.OutOrStdout(), "billfold %s\nbuilt with %s for %s/%s\n", fullVersion(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
		},
	})
}

func fullVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return version
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			return version + "-" + s.Value[:12]
		}
	}
	return version
}

// versions returns the answer of the operation about. The libraries of the reference are not used here.
func versions() ledgerview.Versions {
	return ledgerview.Versions{
		Version: fullVersion(), BoostVersion: "none", OpensslVersion: "none", CryptoppVersion: "none",
		Build: runtime.GOOS + " " + runtime.GOARCH + " " + runtime.Version(),
	}
}
