package token

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"time"

	"billfold/ledger"
	"billfold/ledger/usertext"
	"billfold/walletcore/walletapi"
)

// Scope describes what a token permits. An empty list or zero time does not restrict.
type Scope struct {
	Methods      []string `json:"methods,omitempty"`      // names of operations
	Groups       []string `json:"groups,omitempty"`       // see group; operations in either list may be called
	Accounts     []string `json:"accounts,omitempty"`     // names or ids of accounts that it may act for
	Assets       []string `json:"assets,omitempty"`       // symbols or ids of assets that it may pay with
	Destinations []string `json:"destinations,omitempty"` // names or ids that it may pay
	PerPayment   []Limit  `json:"per_payment,omitempty"`  // an asset that is not listed may not be paid
	PerDay       []Limit  `json:"per_day,omitempty"`      // in any 24 hours; an asset that is not listed may not be paid
	AskAbove     []Limit  `json:"ask_above,omitempty"`    // a person is asked about larger payments, and about other assets

	// AskAboveDay is the total that it may pay without asking in any 24 hours.
	AskAboveDay []Limit `json:"ask_above_per_day,omitempty"`

	Expires time.Time      `json:"expires,omitzero"`
	Sources []netip.Prefix `json:"sources,omitempty"` // where calls may come from
}

// Limit is an amount of an asset. Fees count only against a limit per day for DCT,
// in which they are paid.
type Limit struct {
	Amount string `json:"amount"` // decimal text in the asset's precision
	Asset  string `json:"asset"`  // symbol or id
}

// appliesTo reports whether the limit is for asset.
func (l Limit) appliesTo(asset *ledger.Asset) bool {
	return l.Asset == asset.Symbol || l.Asset == asset.ID.String()
}

// ParseLimit parses a limit such as "12.5 DCT". It does not check whether the asset has
// that many decimals, since the asset is not known yet.
func ParseLimit(text string) (Limit, error) {
	number, asset, ok := strings.Cut(text, " ")
	switch words := usertext.Words(text); {
	case len(words) > 2 && strings.Trim(strings.Join(words[:len(words)-1], ""), "0123456789.,") == "":
		return Limit{}, fmt.Errorf(`%q is not a limit: its number has blanks in it; write it like "1000 DCT"`, text)
	case !ok || len(words) != 2 || words[1] != asset:
		return Limit{}, fmt.Errorf(`%q is not a limit; write it like "100 DCT"`, text)
	}
	_, err := ledger.ParseAmount(number, ledger.MaxPrecision)
	var bad *ledger.AmountError
	if errors.As(err, &bad) && (errors.Is(err, ledger.ErrAmountSyntax) || errors.Is(err, ledger.ErrAmountNegative)) {
		return Limit{}, fmt.Errorf(`%q is not a limit: %w; %s`, text, bad.Why, bad.Hint)
	}
	return Limit{number, asset}, nil
}

// withDayLimit returns the scope with a limit for what may be paid without asking in 24 hours. If none
// was set, it is ten times the largest payment without asking.
func (s Scope) withDayLimit() Scope {
	if len(s.AskAboveDay) > 0 {
		return s
	}
	for _, l := range s.AskAbove {
		s.AskAboveDay = append(s.AskAboveDay, Limit{tenTimes(l.Amount), l.Asset})
	}
	return s
}

// tenTimes moves the decimal point of a number in text by one digit.
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

// ParseSource parses an address, or a range such as 10.0.0.0/8.
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

// Checked returns a scope as New would store it. Groups that were named among the methods are moved to the groups. Its error
// names a word that is neither an operation nor a group, or an empty entry.
func Checked(s Scope) (Scope, error) {
	methods := walletapi.Methods()
	s = s.withGroups(methods).withDayLimit()
	return s, s.check(methods)
}

// check refuses unknown names, so that a typing error does not make a token that
// permits less, or more, than was meant.
func (s Scope) check(methods []*walletapi.Method) error {
	operations := groupNames(methods) // --methods takes groups as well
	for _, m := range methods {
		operations = append(operations, m.Name)
	}
	for _, name := range s.Methods {
		if !slices.ContainsFunc(methods, func(m *walletapi.Method) bool { return m.Name == name }) {
			return fmt.Errorf("there is no wallet operation %q; %s", name, didYouMean(name, operations, "billfold call help lists them"))
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

// restricts reports whether the parameters of a call have to be checked, too.
func (s Scope) restricts() bool {
	return len(s.Accounts) > 0 || s.asks() || s.restrictsPayments()
}

// asks reports whether the token's own limits decide when a person is asked.
func (s Scope) asks() bool { return len(s.AskAbove) > 0 || len(s.AskAboveDay) > 0 }

func (s Scope) restrictsPayments() bool {
	return len(s.Assets) > 0 || len(s.Destinations) > 0 || len(s.PerPayment) > 0 || len(s.PerDay) > 0
}

// allowsSource reports whether calls may come from addr. The zero address is the unix
// socket, which a token that is bound to addresses may not use.
func (s Scope) allowsSource(addr netip.Addr) bool {
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

// withGroups moves groups that were named among the methods to the groups.
func (s Scope) withGroups(methods []*walletapi.Method) Scope {
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

// oldGroupMethods returns the operations that did more than read when a group still permitted all of its operations.
func oldGroupMethods() []string {
	return []string{
		"set_password", "unlock", "lock", "import_key", "import_single_key", "dump_private_keys", "get_private_key",
		"register_account", "transfer", "deposits.ack",
	}
}

// lostMethods returns the operations that a token of the first format could call by its
// groups, which permitted all of their operations then, and no longer can.
func (s Scope) lostMethods(methods []*walletapi.Method) []string {
	var out []string
	for _, m := range methods {
		inGroup := func(text string) bool { return parseGroup(text).contains(m) }
		if slices.Contains(oldGroupMethods(), m.Name) && !s.permits(m) && slices.ContainsFunc(s.Groups, inGroup) {
			out = append(out, m.Name)
		}
	}
	return out
}
