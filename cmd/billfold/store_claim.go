package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"billfold/cmd/billfold/shell"
	"billfold/ledger"
	"billfold/ledger/usertext"
	"billfold/walletcore/fault"
	"billfold/walletcore/payment"
	"billfold/walletcore/payout"
	"billfold/walletcore/store"
	"billfold/walletcore/store/sqlite"

	"github.com/spf13/cobra"
)

// holder is the place that lacked payments found on the ledger: the store that servers share, or the wallet's own journal.
type holder string

const (
	sharedStore holder = "store"
	ownJournal  holder = "journal"
)

// command returns the command with that name about the holder.
func (of holder) command(name string) string { return "billfold " + string(of) + " " + name }

// read reads the settings of a command about the holder.
func (of holder) read(s *settings) error {
	if of == sharedStore {
		return s.readForShared()
	}
	if err := s.readForStored("journal", keystoreName, sqlite.Name); err != nil {
		return err
	}
	if s.store != "" {
		return shell.Misuse(errors.New("this wallet shares its store: billfold store has the same commands"))
	}
	return nil
}

// claimOptions holds the options of the commands claim.
type claimOptions struct {
	of              holder
	none, undo, try bool
	answered        bool // with undo: also if the key was asked for
	file            string
}

func claimCommand(s *settings, of holder) *cobra.Command {
	how, ends := claimOptions{of: of}, "Servers may run meanwhile."
	if of == ownJournal {
		ends = "Once all are claimed, the wallet\nspends again. It may run meanwhile."
	}
	cmd := &cobra.Command{Use: "claim [KEY] [ID]", Args: cobra.ArbitraryArgs,
		Short: "Name the request key of a payment that was found after a loss",
		Long: `Name the request key of a payment that was found after a loss.

The ledger does not hold request keys. Until somebody has claimed what was found, a request
that pays the same is refused: it may be a repetition. claim KEY ID says that it is, and
the key is answered with that payment from then on. claim --none ID says that no request
will be repeated for it, and the same may be paid again. ` + ends + `

--file makes many claims, all of them or none. Each line of the file is a key, a comma and
an id; without a key it means --none. --dry-run checks them, and changes nothing.
--undo takes a claim back, and the payment can be claimed anew. One whose key was asked for
meanwhile stays, since whoever asked was told of the payment: --answered takes it back all
the same, and they have to ask again. A payout compares what it is told with its file, so
claims of its keys can be taken back at any time.`,
		Example: strings.ReplaceAll(`  CLAIM order-7 5e8a3f…
  CLAIM --none 5e8a3f…
  CLAIM --file claims.csv --dry-run
  CLAIM --undo order-7
  CLAIM --undo --none 5e8a3f…`, "CLAIM", of.command("claim")),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := how.check(args); err != nil {
				return shell.Misuse(err)
			}
			return how.run(cmd, s, args)
		}}
	cmd.Flags().BoolVar(&how.none, "none", false, "no request will be repeated for it")
	cmd.Flags().BoolVar(&how.undo, "undo", false, "take the claim of KEY back, or with --none that of ID")
	cmd.Flags().BoolVar(&how.answered, "answered", false, "with --undo: also a claim whose key was asked for meanwhile; whoever asked HAS TO ASK AGAIN")
	cmd.Flags().Var(namedFlag{&how.file}, "file", "make the claims of a file, all of them or none")
	cmd.Flags().BoolVar(&how.try, "dry-run", false, "check the claims, and change nothing")
	return cmd
}

// check refuses options and arguments that do not go together.
func (how *claimOptions) check(args []string) error {
	switch {
	case how.file != "" && (how.none || how.undo || how.answered || len(args) > 0):
		return errors.New("--file makes the claims of the file alone; leave out --none, --undo, --answered, key and id")
	case how.file != "":
		return nil
	case how.answered && !how.undo:
		return errors.New("--answered goes with --undo; leave it out")
	case how.undo && how.try:
		return errors.New("--dry-run is for claims; --undo takes one back at once")
	case how.undo && len(args) != 1:
		return errors.New("give --undo and the request key, or --undo --none and the id of the payment")
	case !how.undo && !how.none && len(args) != 2 || how.none && len(args) != 1:
		return errors.New("give the request key and the id of the payment, or --none and the id")
	}
	return nil
}

func (how *claimOptions) run(cmd *cobra.Command, s *settings, args []string) error {
	if how.undo {
		return how.takeBack(cmd, s, args[0])
	}
	var claims []store.Claim
	var err error
	if how.file != "" {
		claims, err = readClaims(how.file)
	} else {
		key := ""
		if !how.none {
			key = args[0]
		}
		var one store.Claim
		one, err = claimOf(key, args[len(args)-1])
		claims = []store.Claim{one}
	}
	if err != nil {
		return err
	}
	return how.make(cmd, s, claims)
}

// claimOf parses one claim.
func claimOf(key, id string) (store.Claim, error) {
	found, err := ledger.ParseTransactionID(id)
	if err != nil {
		return store.Claim{}, fmt.Errorf("%q is not the id of a payment: %w", id, err)
	}
	return payment.ClaimOf(key, found)
}

// readClaims reads the claims in a file. Its error names every invalid line.
func readClaims(path string) ([]store.Claim, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, shell.Unreadable("file of claims", path, err)
	}
	defer f.Close() //nolint:errcheck // it was only read from
	text, err := io.ReadAll(f)
	if err != nil {
		return nil, shell.Unreadable("file of claims", path, err)
	}
	if text, err = usertext.Decode(text); err != nil {
		return nil, fmt.Errorf("%s: %w; nothing was claimed", path, err)
	}
	lines := csv.NewReader(bytes.NewReader(text))
	lines.FieldsPerRecord = -1
	var all []store.Claim
	var wrong []error
	seen := map[string]int{}
	for {
		fields, err := lines.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w; correct it, nothing was claimed", path, err)
		}
		at, _ := lines.FieldPos(0)
		one, err := claimOfLine(fields)
		if first := seen[one.ID]; err == nil && first > 0 {
			err = fmt.Errorf("payment %s is on line %d already", one.ID, first)
		}
		if err != nil {
			wrong = append(wrong, fmt.Errorf("line %d: %w", at, err))
			continue
		}
		one.Line, seen[one.ID] = at, at
		all = append(all, one)
	}
	if len(wrong) == 0 && len(all) == 0 {
		wrong = append(wrong, errors.New("it has no line with a key, a comma and an id"))
	}
	if len(wrong) > 0 {
		return nil, fmt.Errorf("%s cannot be used, and nothing was claimed:\n%w", path, errors.Join(wrong...))
	}
	return all, nil
}

func claimOfLine(fields []string) (store.Claim, error) {
	if len(fields) != 2 {
		return store.Claim{}, errors.New("write a request key, a comma and the id of the payment; no key means --none")
	}
	if why := payment.KeyProblem(fields[0]); why != "" {
		return store.Claim{}, fmt.Errorf("%s; correct %s, or if callers really wrote it so, claim it by itself, with KEY ID", why, fault.Quote(fields[0]))
	}
	return claimOf(fields[0], usertext.Trim(fields[1]))
}

// open opens what the claims are made on, while programs use it.
func (how *claimOptions) open(cmd *cobra.Command, s *settings) (*store.Store, error) {
	if err := how.of.read(s); err != nil {
		return nil, err
	}
	if how.of == sharedStore {
		return s.storeOptions(nil).OpenAside(cmd.Context(), s.store)
	}
	return sqlite.Open(filepath.Join(s.dataDir, sqlite.Name))
}

func (how *claimOptions) make(cmd *cobra.Command, s *settings, claims []store.Claim) error {
	kept, err := how.open(cmd, s)
	if err != nil {
		return err
	}
	defer kept.Close() //nolint:errcheck // what was claimed is on disk
	if err := kept.Journal.ClaimFound(cmd.Context(), how.try, claims...); err != nil {
		if claims[0].Line > 0 {
			err = fmt.Errorf("nothing was claimed:\n%w", err)
		}
		return err
	}
	for _, c := range claims {
		text, err := claimText(cmd.Context(), kept, c)
		if err != nil {
			return err
		}
		fmt.Fprintln(cmd.OutOrStdout(), text)
	}
	if how.try {
		fmt.Fprintf(cmd.OutOrStdout(), "claims that can be made: %d; without --dry-run they are\n", len(claims))
	}
	return nil
}

// claimText describes a claim and its effect.
func claimText(ctx context.Context, kept *store.Store, c store.Claim) (string, error) {
	id, err := ledger.ParseTransactionID(c.ID)
	if err != nil {
		return "", err
	}
	what, err := describeClaimed(ctx, kept, id)
	if err != nil {
		return "", err
	}
	if c.Key == "" {
		return fmt.Sprintf("payment %s (%s): no request is repeated for it, and the same may be paid again", id, what), nil
	}
	return fmt.Sprintf("payment %s (%s): belongs to request key %s", id, what, fault.Quote(c.Key)), nil
}

// takeBack takes one claim back.
func (how *claimOptions) takeBack(cmd *cobra.Command, s *settings, which string) error {
	key, id := which, ""
	if how.none {
		one, err := claimOf("", which)
		if err != nil {
			return err
		}
		key, id = "", one.ID
	}
	kept, err := how.open(cmd, s)
	if err != nil {
		return err
	}
	found, err := kept.Journal.UnclaimFound(cmd.Context(), key, id, how.answered || strings.HasPrefix(key, payout.KeyPrefix))
	if err = errors.Join(err, kept.Close()); err != nil {
		return err
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "payment %s is no longer claimed: a request that pays the same is refused until it is\n", found)
	return err
}
