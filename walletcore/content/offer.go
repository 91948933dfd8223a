package content

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"billfold/ledger"
	"billfold/ledger/printable"
	"billfold/ledger/usertext"
	"billfold/walletcore/fault"
	"billfold/walletcore/txbuild"
)

// ParsePrice reads a price such as "2 DCT", or "AT=1.5 DCT" for one region. "default=" is for all regions without their own.
func ParsePrice(text string) (txbuild.PriceText, error) {
	region, price, of := strings.Cut(text, "=")
	if !of {
		region, price = "", text
	}
	if sign := usertext.QuoteIn(text); sign != "" {
		return txbuild.PriceText{}, fmt.Errorf(`the price has %s; write it like "2 DCT", with the quotes of a keyboard around it or none`, sign)
	}
	region, err := ParseRegion(region)
	amount, symbol, whole := strings.Cut(strings.TrimSpace(price), " ")
	if !whole {
		return txbuild.PriceText{}, fmt.Errorf(`the price %q is not understood; write it like "2 DCT", or "AT=1.5 DCT" for one country`, text)
	}
	if ledger.NumberGoesOn(strings.Join(usertext.Words(symbol), " ")) {
		return txbuild.PriceText{}, fmt.Errorf(`the price %q is not understood: its number has blanks in it; write it like "1000 DCT"`, text)
	}
	if err == nil && of && region == "" {
		err = notRegion(region)
	}
	if err != nil {
		return txbuild.PriceText{}, err
	}
	if strings.Contains(symbol, ",") {
		return txbuild.PriceText{}, fmt.Errorf("%q are several prices; give each on its own", text)
	}
	quoted, err := json.Marshal(amount)
	return txbuild.PriceText{Region: region, Amount: quoted, Symbol: strings.ToUpper(strings.TrimSpace(symbol))}, err
}

// ParseRegion reads a region: default, a country's code in letters of either case, or "" for none. Error: that there is no such region.
func ParseRegion(text string) (string, error) {
	region := strings.ToUpper(strings.TrimSpace(text))
	if region == "DEFAULT" {
		region = "default"
	}
	if _, known := ledger.RegionCode(region); !known {
		return "", notRegion(region)
	}
	return region, nil
}

func notRegion(text string) error {
	return fmt.Errorf(`%q is not a region; write default, or a country's code such as AT`, text)
}

// CheckPrices refuses a price in one region beside one in all: the ledger drops it.
func CheckPrices(prices []txbuild.PriceText) error {
	if !slices.ContainsFunc(prices, func(p txbuild.PriceText) bool { return p.Region == "" }) {
		return nil
	}
	for _, p := range prices {
		if p.Region != "" {
			return fmt.Errorf("the price without a region is for everybody, so nobody would pay the one in %s; write default= before the price for all others", p.Region)
		}
	}
	return nil
}

// ParseShare reads a co-author's share of the price such as "bobby=10%".
func ParseShare(text string) (txbuild.AuthorShare, error) {
	const percentDecimals, whole = 2, 100_00
	account, part, of := strings.Cut(text, "=")
	hundredths, err := ledger.ParseAmountOf(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(part), "%")), "%", percentDecimals)
	if !of || err != nil || hundredths < 1 || hundredths > whole {
		return txbuild.AuthorShare{}, fmt.Errorf(`the co-author %q is not understood; write it like bobby=10%%, in steps of 0.01 %%`, text)
	}
	account = strings.TrimSpace(account)
	if why := ledger.IDProblem(account); why != "" {
		return txbuild.AuthorShare{}, fmt.Errorf("the co-author %s", why)
	}
	return txbuild.AuthorShare{Account: account, Split: uint32(hundredths)}, nil
}

// ParseUntil reads until when content is offered: days from now such as "30d", a day, or a time, in UTC.
func ParseUntil(text string, now ledger.Time) (ledger.Time, error) {
	const secondsPerDay = 86400
	if days, is := strings.CutSuffix(strings.TrimSpace(text), "d"); is {
		n, err := strconv.ParseUint(days, 10, 16)
		if err == nil && n > 0 && uint64(now)+n*secondsPerDay <= math.MaxUint32 {
			return now + ledger.Time(n)*secondsPerDay, nil
		}
	}
	if day, err := time.Parse(time.DateOnly, strings.TrimSpace(text)); err == nil {
		text = day.Format("2006-01-02T15:04:05")
	}
	at, err := ledger.ParseTime(strings.TrimSpace(text))
	if err != nil {
		return 0, fmt.Errorf(`%q is not a time; write it like 30d, 2027-01-31 or 2027-01-31T12:00:00, in UTC`, text)
	}
	return at, nil
}

// The orders in which seeders are chosen, which the node's lists have as well.
const (
	ByPrice  = "price"
	ByRating = "rating"
	ByUpload = "upload"
)

// MinSeeders is the minimum number of seeders that keep the parts of a key.
const MinSeeders = 2

// ChooseSeeders returns the first seeders of a list that can keep content of a size, in megabytes, until they announce themselves again.
// The list is in the node's order; by price and by rating it is sorted here.
func ChooseSeeders(list []ledger.Seeder, n int, order string, megabytes uint64, now ledger.Time) ([]ledger.AccountID, error) {
	if n != 0 && n < MinSeeders {
		return nil, errors.New("a key is split among two seeders or more; choose 0 or at least 2")
	}
	able := slices.DeleteFunc(slices.Clone(list), func(s ledger.Seeder) bool {
		return s.FreeSpace <= megabytes || s.Expiration <= now || s.Price.AssetID != ledger.CoreAsset || s.Price.Amount < 0
	})
	if len(able) < n {
		return nil, fmt.Errorf("%s can keep this, and %d are wanted; choose fewer, name them, or try later: seeders announce themselves every hour",
			printable.Many(uint64(len(able)), "seeder"), n)
	}
	slices.SortStableFunc(able, func(a, b ledger.Seeder) int {
		switch order {
		case ByPrice:
			return cmp.Compare(a.Price.Amount, b.Price.Amount)
		case ByRating:
			return cmp.Compare(b.Rating, a.Rating)
		}
		return 0
	})
	out := make([]ledger.AccountID, n)
	for i := range out {
		out[i] = able[i].Seeder
	}
	return out, nil
}

// SubmitKeys is the prefix of the request keys of payments that offer content.
const SubmitKeys = publishOp + " "

// Published returns what an author published, the newest first. Nodes find it by region, and search gets one at a time: what has prices for single
// countries only is looked for in those of submitted, which the author submitted.
func Published(submitted []*ledger.ContentSubmitOp, search func(region string) ([]ledger.ContentSummary, error)) ([]ledger.ContentSummary, error) {
	regions := []string{""}
	for _, op := range submitted {
		for _, price := range op.Price {
			if code := ledger.RegionText(price.Region); !slices.Contains(regions, code) {
				regions = append(regions, code)
			}
		}
	}
	out := []ledger.ContentSummary{}
	for _, region := range regions {
		found, err := search(region)
		if err != nil {
			return nil, err
		}
		for _, c := range found {
			if !slices.ContainsFunc(out, func(o ledger.ContentSummary) bool { return o.ID == c.ID }) {
				out = append(out, c)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b ledger.ContentSummary) int { return cmp.Compare(b.Created, a.Created) })
	return out, nil
}

// CheckAbout refuses a title or description with something that whoever reads it could spend with: both are on the ledger for everybody, for ever.
func CheckAbout(about ledger.Synopsis) error {
	for _, part := range [][2]string{{"title", about.Title}, {"description", about.Description}} {
		if held := ledger.SecretIn(part[1]); held != "" {
			return &fault.Error{Code: fault.BadValue, Op: publishOp, Message: "the " + part[0] + " contains " + held + ", and everybody could read it",
				Hint: "take it out; nothing was done"}
		}
	}
	return nil
}
