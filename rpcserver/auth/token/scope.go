package token

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"time"

	"billfold/ledger"
	"billfold/walletcore/walletapi"
)

// Scope is what a token permits. An empty list or zero time does not restrict.
type Scope struct {
	Methods      []string `json:"methods,omitempty"`      // names
	Groups       []string `json:"groups,omitempty"`       // see group; what either list names may be called
	Accounts     []string `json:"accounts,omitempty"`     // names or ids that may be acted for
	Assets       []string `json:"assets,omitempty"`       // symbols or ids that may be paid with
	Destinations []string `json:"destinations,omitempty"` // names or ids that may be paid
	PerPayment   []Limit  `json:"per_payment,omitempty"`  // an asset that is not listed may not be paid
	PerDay       []Limit  `json:"per_day,omitempty"`      // in any 24 hours; an asset that is not listed may not be paid
	AskAbove     []Limit  `json:"ask_above,omitempty"`    // a person is asked about more, and about other assets; not about less

	// AskAboveDay is what it may pay unasked in any 24 hours, all payments together.
	AskAboveDay []Limit `json:"ask_above_per_day,omitempty"`

	Expires time.Time      `json:"expires,omitzero"`
	Sources []netip.Prefix `json:"sources,omitempty"` // where calls may come from
}

// Limit is an amount of an asset. Fees count only per day, against a limit for
// DCT, which they are paid in.
type Limit struct {
	Amount string `json:"amount"` // decimal text in the asset's precision
	Asset  string `json:"asset"`  // symbol or id
}

// names reports that the limit is one for asset.
func (l Limit) names(asset *ledger.Asset) bool {
	return l.Asset == asset.Symbol || l.Asset == asset.ID.String()
}

// ParseLimit reads "12.5 DCT". Whether the asset has that many decimals shows
// only when the asset is known.
func ParseLimit(text string) (Limit, error) {
	number, asset, ok := strings.Cut(text, " ")
	if !ok || asset == "" || strings.Trim(asset, " \t\n") != asset {
		return Limit{}, fmt.Errorf(`%q is not a limit; write it like "100 DCT"`, text)
	}
	_, err := ledger.ParseAmount(number, ledger.MaxPrecision)
	var bad *ledger.AmountError
	if errors.As(err, &bad) && (errors.Is(err, ledger.ErrAmountSyntax) || errors.Is(err, ledger.ErrAmountNegative)) {
		return Limit{}, fmt.Errorf(`%q is not a limit: %w; %s`, text, bad.Why, bad.Hint)
	}
	return Limit{number, asset}, nil
}

// bounded reports how much may be paid unasked in 24 hours, where that was left open:
// ten of the largest payments that nobody is asked about.
func (s Scope) bounded() Scope {
	if len(s.AskAboveDay) > 0 {
		return s
	}
	for _, l := range s.AskAbove {
		s.AskAboveDay = append(s.AskAboveDay, Limit{tenTimes(l.Amount), l.Asset})
	}
	return s
}

// tenTimes moves the point of a decimal text by one digit.
func tenTimes(text string) string {
	whole, fraction, _ := strings.Cut(text, ".")
	if fraction == "" {
		fraction = "0"
	}
	whole, fraction = strings.TrimLeft(whole+fraction[:1], "0"), fraction[1:]
	if whole == "" {
		whole = "0"
	}
	if fraction == "" {
		return whole
	}
	return whole + "." + fraction
}

// ParseSource reads an address, or a range such as 10.0.0.0/8.
func ParseSource(text string) (netip.Prefix, error) {
	if addr, err := netip.ParseAddr(text); err == nil {
		addr = addr.Unmap()
		return netip.PrefixFrom(addr, addr.BitLen()), nil
	}
	p, err := netip.ParsePrefix(text)
	if err != nil || p.Masked() != p {
		return netip.Prefix{}, fmt.Errorf("%q is not an address or a range; write it like 127.0.0.1 or 10.0.0.0/8", text)
	}
	return p, nil
}

// Checked returns a scope as it is kept, with groups that were named among the methods where they belong; its error
// names a word that means nothing.
func Checked(s Scope) (Scope, error) {
	methods := walletapi.Methods()
	s = s.sorted(methods).bounded()
	return s, s.check(methods)
}

// check finds words that name nothing, so that a slip of the finger does not
// make a token that permits less, or more, than was meant.
func (s Scope) check(methods []*walletapi.Method) error {
	operations := groupNames(methods) // --methods takes those as well
	for _, m := range methods {
		operations = append(operations, m.Name)
	}
	for _, name := range s.Methods {
		if !slices.ContainsFunc(methods, func(m *walletapi.Method) bool { return m.Name == name }) {
			return fmt.Errorf("there is no wallet operation %q; %s", name, meant(name, operations, "billfold call help lists them"))
		}
	}
	for _, text := range s.Groups {
		if err := checkGroup(text, methods); err != nil {
			return err
		}
	}
	for _, list := range [][]string{s.Accounts, s.Assets, s.Destinations} {
		if slices.Contains(list, "") {
			return errors.New("an account, asset or destination of the token is empty")
		}
	}
	return nil
}

// permits reports whether m may be called at all.
func (s Scope) permits(m *walletapi.Method) bool {
	return len(s.Methods) == 0 && len(s.Groups) == 0 || slices.Contains(s.Methods, m.Name) ||
		slices.ContainsFunc(s.Groups, func(text string) bool { return parseGroup(text).permits(m) })
}

// restricts reports whether more than the method's name decides.
func (s Scope) restricts() bool {
	return len(s.Accounts) > 0 || s.asks() || s.restrictsPayments()
}

// asks reports whether the token's own limits decide when a person is asked.
func (s Scope) asks() bool { return len(s.AskAbove) > 0 || len(s.AskAboveDay) > 0 }

func (s Scope) restrictsPayments() bool {
	return len(s.Assets) > 0 || len(s.Destinations) > 0 || len(s.PerPayment) > 0 || len(s.PerDay) > 0
}

// from reports whether calls may come from addr. The zero address is the unix
// socket, which a token bound to addresses does not open.
func (s Scope) from(addr netip.Addr) bool {
	addr = addr.Unmap().WithZone("")
	return len(s.Sources) == 0 || slices.ContainsFunc(s.Sources, func(p netip.Prefix) bool { return p.Contains(addr) })
}

// String describes what the scope permits.
func (s Scope) String() string {
	var parts []string
	say := func(what string, list []string) {
		if len(list) > 0 {
			parts = append(parts, what+" "+strings.Join(list, ", "))
		}
	}
	say("methods", append(slices.Clone(s.Methods), describeGroups(s.Groups)...))
	say("accounts", s.Accounts)
	say("assets", s.Assets)
	say("paying", s.Destinations)
	say("per payment", limitTexts(s.PerPayment))
	say("per day", limitTexts(s.PerDay))
	say("unasked up to", limitTexts(s.AskAbove))
	say("unasked in 24 hours up to", limitTexts(s.AskAboveDay))
	for _, p := range s.Sources {
		say("from", []string{p.String()})
	}
	if !s.Expires.IsZero() {
		say("until", []string{s.Expires.UTC().Format("2006-01-02 15:04:05 UTC")})
	}
	if len(parts) == 0 {
		return "everything"
	}
	return strings.Join(parts, "; ")
}

func limitTexts(limits []Limit) []string {
	var texts []string
	for _, l := range limits {
		texts = append(texts, l.Amount+" "+l.Asset)
	}
	return texts
}

// sorted puts groups that were named among the methods where they belong.
func (s Scope) sorted(methods []*walletapi.Method) Scope {
	var names []string
	s.Groups = slices.Clone(s.Groups)
	for _, word := range s.Methods {
		isMethod := slices.ContainsFunc(methods, func(m *walletapi.Method) bool { return m.Name == word })
		if isMethod || checkGroup(word, methods) != nil {
			names = append(names, word)
		} else {
			s.Groups = append(s.Groups, word)
		}
	}
	s.Methods = names
	return s
}

// oldGroupMethods lists what did more than read when a group meant all of its operations.
func oldGroupMethods() []string {
	return []string{
		"set_password", "unlock", "lock", "import_key", "import_single_key", "dump_private_keys", "get_private_key",
		"register_account", "transfer", "deposits.ack",
	}
}

// lost lists what a token of the first format could call by its groups, which
// meant all of each then, and cannot any more.
func (s Scope) lost(methods []*walletapi.Method) []string {
	var out []string
	for _, m := range methods {
		inGroup := func(text string) bool { return parseGroup(text).holds(m) }
		if slices.Contains(oldGroupMethods(), m.Name) && !s.permits(m) && slices.ContainsFunc(s.Groups, inGroup) {
			out = append(out, m.Name)
		}
	}
	return out
}
