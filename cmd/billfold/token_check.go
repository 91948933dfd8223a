package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"billfold/ledger"
	"billfold/rpcserver/auth/token"
	"billfold/walletcore/fault"
	"billfold/walletcore/walletapi"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// The core asset, which every ledger has.
const (
	dct       = "DCT"
	dctDigits = 8 // after the decimal point
)

// checkGiven refuses flags with an empty value: a script with an unset variable must not
// make a token without limits.
func checkGiven(cmd *cobra.Command) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		list, isList := f.Value.(pflag.SliceValue)
		words := []string{f.Value.String()}
		if isList {
			words = list.GetSlice()
		}
		blank := func(w string) bool { return strings.TrimSpace(w) == "" }
		if err == nil && (len(words) == 0 || slices.ContainsFunc(words, blank)) {
			err = fmt.Errorf("--%s is empty; give it a value, or leave it out for no limit", f.Name)
		}
	})
	return err
}

// checkNames refuses names that are invalid on any ledger, and two limits for one asset.
func checkNames(scope token.Scope) error {
	for _, name := range append(slices.Clone(scope.Accounts), scope.Destinations...) {
		if _, err := ledger.ParseAccountID(name); err == nil {
			continue
		}
		if err := ledger.ValidAccountName(name); err != nil {
			return err
		}
	}
	for _, symbol := range assetsOf(scope) {
		if _, err := ledger.ParseAssetID(symbol); err == nil {
			continue
		}
		if err := ledger.ValidSymbol(symbol); err != nil {
			return fmt.Errorf("%w; write it as in DCT", err)
		}
	}
	for flag, limits := range map[string][]token.Limit{
		"per-payment": scope.PerPayment, "per-day": scope.PerDay, "ask-above": scope.AskAbove, "ask-above-per-day": scope.AskAboveDay,
	} {
		for i, l := range limits {
			if _, err := ledger.ParseAmount(l.Amount, dctDigits); l.Asset == dct && err != nil {
				return fmt.Errorf("--%s: %w", flag, err)
			}
			if slices.ContainsFunc(limits[:i], func(o token.Limit) bool { return o.Asset == l.Asset }) {
				return fmt.Errorf("--%s has two limits for %s; keep one", flag, l.Asset)
			}
		}
	}
	return nil
}

// assetsOf returns every asset that a scope names, each once.
func assetsOf(scope token.Scope) []string {
	list := slices.Clone(scope.Assets)
	for _, limits := range [][]token.Limit{scope.PerPayment, scope.PerDay, scope.AskAbove, scope.AskAboveDay} {
		for _, l := range limits {
			list = append(list, l.Asset)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// ledgerWait is the time limit of the check of a token's names on the ledger.
const ledgerWait = 5 * time.Second

// checkLedger asks the ledger for the accounts and assets of a scope. If no daemon
// answers, it prints that they were not checked and accepts them: a limit for something
// that does not exist permits nothing.
func checkLedger(ctx context.Context, s *settings, scope token.Scope, problems io.Writer) error {
	questions := map[string]string{} // a name → the operation that looks it up
	for _, symbol := range assetsOf(scope) {
		if symbol != dct {
			questions[symbol] = "get_asset"
		}
	}
	for _, name := range append(slices.Clone(scope.Accounts), scope.Destinations...) {
		questions[name] = "get_account"
	}
	if len(questions) == 0 {
		return nil
	}
	p, err := newProgramAside(s)
	if err != nil {
		return err
	}
	defer p.close()
	return p.run(ctx, func(ctx context.Context) error {
		ctx, cancel := context.WithTimeout(ctx, ledgerWait)
		defer cancel()
		if err := p.firstContact(ctx); err != nil {
			fmt.Fprintf(problems, "not checked whether the ledger has what the token names: %s\n", fault.Daemon("token", err))
			return nil
		}
		for name, operation := range questions {
			_, err := p.api.Call(ctx, operation, walletapi.Params{Positional: []json.RawMessage{quotedJSON(name)}})
			switch fault.CodeOf(err) {
			case fault.NoSuchAccount, fault.NoSuchAsset:
				return errors.New(strings.ReplaceAll(sentence(err), "\nhint: ", "; "))
			}
		}
		return nil
	})
}

func quotedJSON(text string) json.RawMessage {
	value, _ := json.Marshal(text) // cannot fail for a string
	return value
}
