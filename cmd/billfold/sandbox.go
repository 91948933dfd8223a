package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"billfold/cmd/billfold/setting"
	"billfold/cmd/billfold/shell"
	"billfold/ledger"
	"billfold/ledger/printable"
	"billfold/sandbox"
	"billfold/sandbox/api"

	"github.com/spf13/cobra"
)

// sandboxFlags are the flags of `billfold sandbox`. Calls do the same and more
// while it runs: sandbox_mine, sandbox_snapshot and so on.
type sandboxFlags struct {
	listen, line, genesis, state, access string
	hosts, origins                       []string
	content                              string
	seeders                              int
	blockTime                            time.Duration

	at     string
	fund   []string
	mine   int
	stop   bool
	delay  time.Duration
	slow   int
	drop   int
	poseAs string
}

// sandboxName is the name of the command.
const sandboxName = "sandbox"

func sandboxCommand() *cobra.Command {
	f := &sandboxFlags{}
	cmd := withoutSettings(&cobra.Command{
		Use:   sandboxName,
		Short: "Run the embedded ledger alone, serving the daemon interface",
		Long: `Run the embedded ledger alone, serving the daemon interface.

Wallets and applications use it as they would use a node: websocket, and HTTP POST
at /rpc. Its demo accounts and their keys are printed. Web pages served from this
machine may call it too; those of other sites need --allow-origin.`,
		Example: `  billfold sandbox
  billfold --daemon-url ws://127.0.0.1:8090
  billfold sandbox --state ledger.log --block-time 1s --fund "alice=1000 DCT"`,
		Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	})
	flags := cmd.Flags()
	flags.StringVar(&f.listen, "listen", sandbox.DefaultListen, "address for websocket and HTTP")
	flags.StringVar(&f.line, "line", "",
		"how the connection behaves, several with commas: two-segments (as the node writes answers), rtt=1ms (a round trip), "+
			"verify-blocks (the node checks each signature again when it applies a block, and does not answer meanwhile)")
	flags.Var(namedFlag{&f.genesis}, "genesis", "start from this file, in the node's own format")
	flags.Var(namedFlag{&f.state}, "state", "keep the ledger in this file, and continue from it")
	flags.IntVar(&f.seeders, "seeders", 0, "let this many accounts (seeder-1, seeder-2, …) keep content and deliver its keys")
	flags.StringVar(&f.content, "content", "",
		"keep content in this folder, in place of IPFS; with --seeders it is beside the file of --state unless you name it, or temporary")
	flags.Var(namedFlag{&f.access}, "api-access", "who may use which API sets, a file in the node's own format")
	flags.StringSliceVar(&f.hosts, "allow-host", nil, "another host name that requests may call this machine by, such as sandbox.example")
	flags.StringSliceVar(
		&f.origins,
		"allow-origin",
		nil,
		"web pages that may call, such as https://app.example; pages of this machine (localhost) always may",
	)
	flags.DurationVar(
		&f.blockTime,
		"block-time",
		sandbox.DefaultBlockTime,
		"time between blocks; 0 makes them only when told (sandbox_mine); under 1s their times run ahead of the clock, which wallets "+
			"on other machines refuse from 15s on",
	)
	flags.StringVar(&f.at, "time", "", "set the clock of the ledger, such as 2030-01-31T12:00:00 (UTC)")
	flags.StringArrayVar(&f.fund, "fund", nil, `pay an account at the start, such as "alice=1000 DCT"; may be repeated`)
	flags.IntVar(&f.mine, "mine", 0, "make this many blocks at the start")
	flags.BoolVar(&f.stop, "stop-blocks", false, "fault: make no blocks on schedule")
	flags.DurationVar(&f.delay, "delay", 0, "fault: delay every answer by this much")
	flags.IntVar(&f.slow, "slow", 0, "fault: send at most this many bytes per second")
	flags.IntVar(&f.drop, "drop-after", noDrop, "fault: cut every websocket after this many frames")
	flags.StringVar(&f.poseAs, "pose-as", "", "fault: report this chain id, 64 hex digits")
	return cmd
}

func (f *sandboxFlags) run(cmd *cobra.Command) error {
	opt, err := f.options(cmd.Context())
	if err != nil {
		return shell.Misuse(err)
	}
	box, err := sandbox.New(opt)
	if err != nil {
		return err
	}
	if err := f.prepare(box); err != nil {
		_ = box.Close()
		return shell.Misuse(err)
	}
	out := cmd.OutOrStdout()
	if n := box.CutOff(); n > 0 {
		fmt.Fprintf(out, "notice     torn by a crash and cut off: %s at the end of %s; no finished block is lost\n",
			printable.Many(n, "byte"), f.state)
	}
	fmt.Fprintf(out, "chain id   %s\nwebsocket  %s\nHTTP       %s\n", box.ChainID(), box.URL(), box.HTTPURL())
	if address := box.IPFSAddress(); address != "" {
		fmt.Fprintf(out, "IPFS       %s\n", address)
	}
	for _, k := range box.Demo() {
		fmt.Fprintf(out, "demo key   %-6s %s\n", k.Account, k.Key.WIF())
	}
	return box.Run(cmd.Context())
}

func (f *sandboxFlags) options(ctx context.Context) (opt sandbox.Options, err error) {
	if err := f.check(); err != nil {
		return opt, err
	}
	opt = sandbox.Options{
		Listen: f.listen, BlockTime: f.blockTime, State: f.state, Seeders: f.seeders, Content: f.content,
		Hosts: f.hosts, Origins: append([]string{sandbox.LocalPages}, origins(f.origins)...),
	}
	if opt.Conn, err = sandbox.ParseConnProfile(f.line); err != nil {
		return opt, fmt.Errorf("--line: %w", err)
	}
	if f.genesis != "" {
		if opt.Genesis, err = readFile(ctx, f.genesis, "genesis", sandbox.ReadGenesis); err != nil {
			return opt, err
		}
	}
	if f.access != "" {
		opt.Access, err = readFile(ctx, f.access, "permission map", api.ReadAccess)
	}
	return opt, err
}

// check refuses invalid options.
func (f *sandboxFlags) check() error {
	if err := checkAddress(f.listen); err != nil {
		return fmt.Errorf("--listen: %w; write it like %s", err, sandbox.DefaultListen)
	}
	for flag, negative := range map[string]bool{
		"block-time": f.blockTime < 0, "seeders": f.seeders < 0, "delay": f.delay < 0, "slow": f.slow < 0, "mine": f.mine < 0, "drop-after": f.drop < noDrop,
	} {
		if negative {
			return fmt.Errorf("--%s cannot be negative", flag)
		}
	}
	if f.seeders > sandbox.MaxSeeders {
		return fmt.Errorf("--seeders can be at most %d", sandbox.MaxSeeders)
	}
	for flag, path := range map[string]string{"genesis": f.genesis, "state": f.state, "api-access": f.access, "content": f.content} {
		if err := setting.CheckPath(path); path != "" && err != nil {
			return fmt.Errorf("--%s: %w", flag, err)
		}
	}
	if err := checkState(f.state); err != nil {
		return fmt.Errorf("--state: %w", err)
	}
	for _, host := range f.hosts {
		if err := checkHost(host); err != nil {
			return fmt.Errorf("--allow-host: %w", err)
		}
	}
	for _, origin := range f.origins {
		if err := checkOrigin(origin); err != nil {
			return fmt.Errorf("--allow-origin: %w", err)
		}
	}
	return nil
}

// checkState refuses a path at which no file can be made: a folder, or a path in a folder that does not exist.
func checkState(path string) error {
	if path == "" {
		return nil
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return fmt.Errorf("%s is a folder; name the state file in it", path)
	} else if err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s is no file that stays, in which a ledger can be kept; name another", path)
	}
	if folder := filepath.Dir(path); setting.CheckPath(folder) == nil {
		if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("there is no folder %s; make it first, or name another", folder)
		}
	}
	return nil
}

// readFile reads a file and parses it with read. what names its content in errors.
func readFile[T any](ctx context.Context, path, what string, read func([]byte) (*T, error)) (*T, error) {
	data, err := shell.ReadFile(ctx, path, math.MaxInt64)
	if err != nil {
		return nil, shell.Unreadable(what+" file", path, err)
	}
	v, err := read(data)
	if err != nil {
		return nil, fmt.Errorf("%s is not a %s: %w", path, what, err)
	}
	return v, nil
}

// prepare sets the clock, funds accounts, makes blocks and sets faults, before anybody
// can call.
func (f *sandboxFlags) prepare(box *sandbox.Sandbox) error {
	if f.at != "" {
		at, err := time.Parse(sandboxTime, f.at)
		if err != nil {
			return fmt.Errorf("--time %q is not a time; write it like %s", f.at, sandboxTime)
		}
		if _, err := box.SetTime(ledger.TimeOf(at)); err != nil {
			return err
		}
	}
	for _, text := range f.fund {
		if err := fundAccount(box, text); err != nil {
			return err
		}
	}
	for range f.mine {
		if _, err := box.Mine(); err != nil {
			return err
		}
	}
	return f.setFaults(box)
}

// sandboxTime is the layout of the ledger's times.
const sandboxTime = "2006-01-02T15:04:05"

func fundAccount(box *sandbox.Sandbox, text string) error {
	account, sum, _ := strings.Cut(text, "=")
	amount, symbol, ok := strings.Cut(strings.TrimSpace(sum), " ")
	if !ok {
		return fmt.Errorf(`--fund %q is not understood; write it like "alice=1000 DCT"`, text)
	}
	if _, err := box.Fund(strings.TrimSpace(account), amount, strings.TrimSpace(symbol)); err != nil {
		return fmt.Errorf("--fund %q failed: %w", text, err)
	}
	return nil
}

func (f *sandboxFlags) setFaults(box *sandbox.Sandbox) error {
	box.Delay(f.delay)
	box.Slow(f.slow)
	if f.stop {
		box.StopBlocks(true)
	}
	if f.drop != noDrop {
		box.DropAfter(f.drop, allConns)
	}
	if f.poseAs != "" {
		id, err := ledger.ParseChainID(f.poseAs)
		if err != nil {
			return fmt.Errorf("--pose-as: %w", err)
		}
		box.PoseAs(&id)
	}
	return nil
}

// noDrop is the value of --drop-after that cuts no websocket.
const noDrop = -1

// allConns is more websockets than there are in one run.
const allConns = 1 << 30
