package content

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"billfold/ledger"
	"billfold/tui/format"
	"billfold/tui/screen"
	"billfold/walletcore/content"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/txbuild"
)

// List selects the rows that are listed.
type List int

// The lists.
const (
	OnOffer List = iota
	Bought
	Published
	UnderWay
	lists
)

// String returns the name of a list.
func (l List) String() string {
	return [...]string{"On offer", "Bought", "Published", "Under way"}[l]
}

// Item is a row of a list: content that is offered, bought or published, or a task.
type Item struct {
	Title  string // by others
	Text   string // its description, by others
	Author ledgerview.AccountRef
	Price  int64
	Asset  ledgerview.AssetRef // of the price; without a symbol there is none
	State  string              // in a few words
	URI    string
	Hash   ledger.Hash160
	Facts  []Fact

	Buying *ledger.Buying // what was bought; nil: nothing
	Here   bool           // the package is on this machine
	Quorum uint32         // parts of the key that are needed
	Task   string         // its id, if it is a task
	Open   bool           // on offer still
	Owned  bool           // an offer that the account has bought, or is buying
}

// Fact is something that is known of an item.
type Fact struct{ Label, Text string }

// Delivered reports whether the key of what was bought has arrived.
func (i Item) Delivered() bool { return i.Buying != nil && i.Buying.Delivered }

// OfferItem returns the row of content that is offered.
func OfferItem(c ledger.ContentSummary, author ledgerview.AccountRef, asset ledgerview.AssetRef) Item {
	about := ledger.ReadSynopsis(c.Synopsis)
	i := Item{Title: about.Title, Text: about.Description, Author: author, Price: c.Price.Amount, Asset: asset, State: strings.ToLower(c.Status),
		URI: c.URI, Hash: c.Hash, Open: c.Status != ledger.OfferExpired}
	i.Facts = []Fact{
		{"Size", format.Count(int(c.Size)) + " MB at most"}, {"Offered", "until " + format.UTC(c.Expiration)},
		{"Bought", format.Many(int(c.TimesBought), "time")}, {"Rating", rating(c.AverageRating)}, {"Address", c.URI}, {"Package", c.Hash.String()},
	}
	return i
}

func rating(thousandths uint32) string {
	if thousandths == 0 {
		return "none yet"
	}
	return fmt.Sprintf("%d.%03d of 5", thousandths/1000, thousandths%1000)
}

// PurchaseItem returns the row of content that was bought.
func PurchaseItem(p ledgerview.Purchase, author ledgerview.AccountRef, asset ledgerview.AssetRef, quorum uint32) Item {
	about := ledger.ReadSynopsis(p.Synopsis)
	i := Item{Title: about.Title, Text: about.Description, Author: author, Price: p.PaidBeforeExchange.Amount, Asset: asset, URI: p.URI, Hash: p.Hash,
		Buying: &p.Buying, Here: p.StatusText == "Downloaded", Quorum: quorum}
	key := fmt.Sprintf("%d of %d parts", p.ReceivedKeyParts, quorum)
	got := "not on this machine"
	switch {
	case i.Here:
		got = "here"
	case p.TotalDownloadBytes > 0:
		got = percent(p.ReceivedDownloadBytes, p.TotalDownloadBytes)
	case strings.HasPrefix(p.StatusText, "Failed"), strings.HasPrefix(p.StatusText, "Downloading"):
		got = p.StatusText
	}
	switch {
	case p.Lapsed():
		i.State = "given back"
	case p.Delivered && i.Here:
		i.State = "ready"
	case i.Here:
		i.State = "waits for its key"
	case p.TotalDownloadBytes > 0:
		i.State = "downloading " + got
	default:
		i.State = "not here"
	}
	if p.Delivered {
		key = "delivered"
	}
	i.Facts = []Fact{{"Key", key}, {"Package", got}, {"Purchase", p.ID.String()}, {"Size", format.Count(int(p.Size)) + " MB at most"},
		{"Address", p.URI}, {"Hash", p.Hash.String()}}
	return i
}

func percent(done, total uint64) string {
	return strconv.FormatUint(min(done, total)*100/max(total, 1), 10) + " %"
}

// TaskItem returns the row of a task.
func TaskItem(t content.Task) Item {
	i := Item{Title: t.Title, Task: t.ID, URI: t.URI, State: string(t.State)}
	what := string(t.Kind)
	if t.Step != "" {
		what = string(t.Step)
	}
	if i.Title == "" {
		i.Title = what
	}
	if t.State == content.Running {
		i.State = what
		if t.Total > 0 {
			i.State += " " + percent(t.Done, t.Total)
		}
	}
	i.Facts = []Fact{{"What", what}}
	if t.Reason != "" {
		i.Facts = append(i.Facts, Fact{"Why", t.Reason})
	}
	i.Facts = append(i.Facts, Fact{"Began", format.UTC(t.Began)})
	if t.URI != "" {
		i.Facts = append(i.Facts, Fact{"Address", t.URI})
	}
	if t.Hash != nil {
		i.Facts = append(i.Facts, Fact{"Package", t.Hash.String()})
	}
	return i
}

// WhyNotBuy returns why an item cannot be bought; empty if it can.
func (i Item) WhyNotBuy() string {
	switch {
	case i.Task != "" || i.URI == "":
		return "this is nothing that is offered"
	case i.Owned:
		return "it is bought, and stands among what was bought"
	case i.Buying != nil && !i.Buying.Lapsed():
		return "it is bought"
	case i.Buying == nil && !i.Open:
		return "it is not on offer any more"
	}
	return ""
}

// WhyNotExtract returns why an item cannot be extracted; empty if it can.
func (i Item) WhyNotExtract() string {
	switch {
	case i.Buying == nil:
		return "only what was bought can be extracted"
	case !i.Delivered():
		return "its key has not arrived"
	case !i.Here:
		return "its package is not on this machine"
	}
	return ""
}

// FolderFor returns the name of a folder for an item.
func (i Item) FolderFor() string {
	name := strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || r == '.' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '-'
	}, i.Title)
	if name = strings.Trim(name, "-."); name == "" {
		return "content"
	}
	return name[:min(len(name), 60)]
}

// Field is a text that a publication takes.
type Field struct {
	Label, Hint string
	Value       string // at first
	Check       func(text string) error
}

// The places of the fields.
const (
	fieldPath = iota
	fieldTitle
	fieldText
	fieldPrice
	fieldUntil
	fieldSeeders
	fieldShares
	fieldPreview
)

// Fields returns what is typed to publish.
func Fields() []Field {
	return []Field{
		{Label: "Folder", Hint: "a folder, or a single file, of this machine", Check: func(text string) error {
			if strings.TrimSpace(text) == "" {
				return fmt.Errorf("name the folder")
			}
			return nil
		}},
		{Label: "Title", Hint: "public", Check: func(text string) error {
			if strings.TrimSpace(text) == "" {
				return fmt.Errorf("give it a title")
			}
			return nil
		}},
		{Label: "Description", Hint: "public; may be empty"},
		{Label: "Price", Hint: "2 DCT, or by region: default=2 DCT, AT=1.5 DCT", Check: func(text string) error {
			_, err := prices(text)
			if err == nil && strings.TrimSpace(text) == "" {
				err = fmt.Errorf("name a price")
			}
			return err
		}},
		{Label: "Until", Hint: "30d, or a day such as 2027-01-31", Value: "30d", Check: func(text string) error {
			_, err := content.ParseUntil(text, 0)
			return err
		}},
		{Label: "Seeders", Hint: "how many, and by what: 2 price, 3 rating AT; or names", Value: "2 price", Check: func(text string) error {
			_, err := ParseSeeders(text)
			return err
		}},
		{Label: "Co-authors", Hint: "bobby=10%, carol=5%; may be empty", Check: func(text string) error {
			_, err := each(text, content.ParseShare)
			return err
		}},
		{Label: "Preview", Hint: "a folder that anybody may read; may be empty"},
	}
}

// each reads what is between commas.
func each[T any](text string, read func(string) (T, error)) (out []T, err error) {
	out = []T{}
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		one, err := read(part)
		if err != nil {
			return nil, err
		}
		out = append(out, one)
	}
	return out, nil
}

// prices reads the prices of a publication; between digits, a comma was meant as a decimal point.
func prices(text string) ([]txbuild.PriceText, error) {
	if amount := regexp.MustCompile(`[0-9]+,[0-9]+`).FindString(text); amount != "" {
		return nil, fmt.Errorf("%s is not an amount; write it like %s DCT", fault.Quote(amount), strings.Replace(amount, ",", ".", 1))
	}
	out, err := each(text, content.ParsePrice)
	if err == nil {
		err = content.CheckPrices(out)
	}
	return out, err
}

// Seeders are the keepers of content: accounts by name, or so many of the node's list.
type Seeders struct {
	Names         []string
	Count         int
	Order, Region string
}

// ParseSeeders reads "2 price", "3 rating AT", "0", or names.
func ParseSeeders(text string) (s Seeders, err error) {
	words := strings.Fields(strings.ReplaceAll(text, ",", " "))
	s.Order = content.ByPrice
	if len(words) == 0 {
		return s, nil
	}
	n, err := strconv.Atoi(words[0])
	if err != nil {
		s.Names = words
		if len(words) < content.MinSeeders {
			return s, fmt.Errorf("a key is split among two seeders or more; name another")
		}
		return s, nil
	}
	if s.Count = n; n < 0 || n == 1 {
		return s, fmt.Errorf("a key is split among two seeders or more; choose 0 or at least 2")
	}
	for _, word := range words[1:] {
		switch word {
		case content.ByPrice, content.ByRating, content.ByUpload:
			s.Order = word
		default:
			region, err := content.ParseRegion(word)
			if err != nil {
				return s, fmt.Errorf("%s is neither price, rating, upload nor a region", fault.Quote(word))
			}
			s.Region = region
		}
	}
	return s, nil
}

// Draft is a publication as it was typed.
type Draft struct {
	About ledger.Synopsis
	Keep  Seeders
	Until string
	content.Publication
}

// Read reads the texts of the fields. Errors: those of their checks.
func Read(values []string) (d Draft, err error) {
	for n, f := range Fields() {
		if f.Check == nil {
			continue
		}
		if err := f.Check(values[n]); err != nil {
			return d, &fault.Error{Code: fault.BadValue, Op: "content", Message: err.Error(), Hint: "nothing was done"}
		}
	}
	anywhere := func(path string) content.Folder { return content.Folder{Path: screen.Path(path), Anywhere: true} }
	d.Publication.Source = content.Source{Content: anywhere(values[fieldPath]), Samples: anywhere(values[fieldPreview])}
	d.About = ledger.Synopsis{Title: strings.TrimSpace(values[fieldTitle]), Description: strings.TrimSpace(values[fieldText])}
	if err := content.CheckAbout(d.About); err != nil {
		return d, err
	}
	d.Publication.Synopsis, d.Protocol, d.Until = d.About.Text(), "ipfs", values[fieldUntil]
	if d.Prices, err = prices(values[fieldPrice]); err != nil {
		return d, err
	}
	if d.CoAuthors, err = each(values[fieldShares], content.ParseShare); err != nil {
		return d, err
	}
	d.Keep, err = ParseSeeders(values[fieldSeeders])
	return d, err
}
