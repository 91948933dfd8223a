package ledger

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"billfold/ledger/printable"
)

// Content is the object 2.13.N: content offered for sale.
type Content struct {
	ID                  ContentID      `json:"id"`
	Author              AccountID      `json:"author"`
	CoAuthors           []CoAuthor     `json:"co_authors" fc:"map"`
	Expiration          Time           `json:"expiration"`
	Created             Time           `json:"created"`
	Price               RegionalPrices `json:"price"`
	Size                uint64         `json:"size"` // megabytes
	Synopsis            string         `json:"synopsis"`
	URI                 string         `json:"URI"`
	Quorum              uint32         `json:"quorum"` // key parts needed to read it
	KeyParts            []SeederKey    `json:"key_parts" fc:"map"`
	Hash                Hash160        `json:"_hash"`
	LastProof           []SeederProof  `json:"last_proof" fc:"map"`
	IsBlocked           bool           `json:"is_blocked"`
	AverageRating       uint32         `json:"AVG_rating"` // thousandths of a star
	NumOfRatings        uint32         `json:"num_of_ratings"`
	TimesBought         uint32         `json:"times_bought"`
	PublishingFeeEscrow AssetAmount    `json:"publishing_fee_escrow"`
	CustodyData         *CustodyData   `json:"cd,omitempty"`
	SeederPrice         []SeederStat   `json:"seeder_price" fc:"map"`
}

// RegionalPrices are the prices of content, each with its region.
type RegionalPrices struct {
	Prices []PriceInRegion `json:"map_price" fc:"map"`
}

// PriceInRegion is the price of content in a region; see RegionalPrice.
type PriceInRegion struct {
	_      struct{}    `fc:"pair"`
	Region uint32      `json:"region"`
	Price  AssetAmount `json:"price"`
}

// In returns what content costs in a region, and whether it is sold there
// (docs/protocol/ledger.md 8): the price without region takes precedence over that of
// the region, and that over the default.
func (p RegionalPrices) In(region uint32) (AssetAmount, bool) {
	for _, wanted := range []uint32{RegionNone, region, RegionDefault} {
		for _, price := range p.Prices {
			if price.Region == wanted {
				return price.Price, true
			}
		}
	}
	return AssetAmount{}, false
}

// Words returns where content is sold, such as "AT, DE and 3 more".
func (p RegionalPrices) Words() string {
	const most = 8
	var codes []string
	for _, price := range p.Prices[:min(len(p.Prices), most)] {
		codes = append(codes, RegionText(price.Region))
	}
	out := strings.Join(codes, ", ")
	if more := len(p.Prices) - most; more > 0 {
		out += fmt.Sprintf(" and %d more", more)
	}
	return out
}

// SeederKey is the part of a content key that a seeder keeps.
type SeederKey struct {
	_      struct{}   `fc:"pair"`
	Seeder AccountID  `json:"seeder"`
	Part   Ciphertext `json:"part"`
}

// SeederProof is the time of a seeder's last proof that it holds the content.
type SeederProof struct {
	_      struct{}  `fc:"pair"`
	Seeder AccountID `json:"seeder"`
	Time   Time      `json:"time"`
}

// ContentSummary is one result of a content search.
type ContentSummary struct {
	ID            ObjectID    `json:"id"`
	Author        string      `json:"author"` // a name
	Price         AssetAmount `json:"price"`
	Synopsis      string      `json:"synopsis"`
	Status        string      `json:"status"`
	URI           string      `json:"URI"`
	Hash          Hash160     `json:"_hash"`
	AverageRating uint32      `json:"AVG_rating"`
	Size          uint64      `json:"size"`
	Expiration    Time        `json:"expiration"`
	Created       Time        `json:"created"`
	TimesBought   uint32      `json:"times_bought"`
}

// Synopsis is the description of content in the text of an offer.
type Synopsis struct {
	Title       string `json:"title"`
	Description string `json:"description"`
	Type        string `json:"content_type_id"` // such as 1.5.5.0; "" = none
}

// noContentType is the type of content that has none.
const noContentType = "0.0.0"

// ReadSynopsis returns what the text of an offer says. Text that is no JSON is a title.
func ReadSynopsis(text string) Synopsis {
	var s Synopsis
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		return Synopsis{Title: text}
	}
	return s
}

// Text returns the synopsis as an offer has it.
func (s Synopsis) Text() string {
	s.Type = cmp.Or(s.Type, noContentType)
	text, _ := json.Marshal(s) // of three texts
	return string(text)
}

// synopsisEffects returns what everybody can read of an offer; all of the text where it has more than a synopsis.
func synopsisEffects(text string) []Effect {
	s := ReadSynopsis(text)
	if s.Text() != text {
		return []Effect{{What: "text for everybody", Now: text}}
	}
	out := []Effect{{What: "title", Now: s.Title}}
	if s.Description != "" {
		out = append(out, Effect{What: "description", Now: s.Description})
	}
	if s.Type != noContentType {
		out = append(out, Effect{What: "type of content", Now: s.Type})
	}
	return out
}

// OfferExpired is the status of content whose time is over, and of what was withdrawn.
const OfferExpired = "Expired"

// Codes of the operations on content.
const (
	CodeContentSubmit          OpCode = 20 // content_submit
	CodeLeaveRatingAndComment  OpCode = 22 // leave_rating_and_comment
	CodeContentCancellation    OpCode = 32 // content_cancellation
	CodeReturnEscrowSubmission OpCode = 47 // return_escrow_submission
)

// Bounds of content (docs/protocol/serialization.md 2, docs/protocol/ledger.md 8).
const (
	maxComment     = 100 // bytes
	maxRating      = 5
	maxContentSize = 10000 // megabytes
	fullSplit      = 10000 // hundredths of a percent
)

// ContentSubmitOp offers content for sale.
type ContentSubmitOp struct {
	Fee           AssetAmount     `json:"fee,omitempty"`
	Size          uint64          `json:"size"`
	Author        AccountID       `json:"author"`
	CoAuthors     []CoAuthor      `json:"co_authors" fc:"map"`
	URI           string          `json:"URI"`
	Quorum        uint32          `json:"quorum"`
	Price         []RegionalPrice `json:"price"`
	Hash          Hash160         `json:"hash"`
	Seeders       []AccountID     `json:"seeders"`
	KeyParts      []Ciphertext    `json:"key_parts"`
	Expiration    Time            `json:"expiration"`
	PublishingFee AssetAmount     `json:"publishing_fee"`
	Synopsis      string          `json:"synopsis"`
	CustodyData   *CustodyData    `json:"cd,omitempty"`
}

// FeePayer returns the author.
func (op *ContentSubmitOp) FeePayer() AccountID { return op.Author }

func (*ContentSubmitOp) declared() *declaration { return &contentSubmitDeclaration }

var contentSubmitDeclaration = declaration{
	code: CodeContentSubmit, name: "content_submit", new: empty[ContentSubmitOp],
	fee: feeRule{fixed: 1_000_000, base: base(func(f FeeParameters, op *ContentSubmitOp) (uint64, error) {
		if len(op.Seeders) > 0 {
			return 0, nil
		}
		return f.Fee, nil
	})},
	rules:   rules((*ContentSubmitOp).valid),
	signs:   payerSigns,
	touches: touchesNobodyElse,
	moves: moves(func(op *ContentSubmitOp) []Movement { // into escrow
		return []Movement{{From: op.Author.Object(), Amount: op.PublishingFee}}
	}),
	gives:    gives((*ContentSubmitOp).beneficiaries),
	sentence: template("{author} offered the content {URI}"),
	told:     true,
}

// effects returns what is offered, what it costs where, until when, and who shares in it or keeps it. Whoever may restore its key is worth a
// look: a quorum of the seeders can read it.
func (op *ContentSubmitOp) effects(_ Before, n Namer) []Effect {
	out := append(synopsisEffects(op.Synopsis), op.packageEffect())
	everywhere := slices.ContainsFunc(op.Price, func(p RegionalPrice) bool { return p.Region == RegionNone })
	for _, p := range op.Price {
		e := Effect{What: "price in " + RegionWords(p.Region), Now: n.AmountText(p.Price)}
		if p.Price.Amount == 0 {
			e.Careful = "everybody in " + RegionWords(p.Region) + " gets it for nothing"
		}
		if everywhere && p.Region != RegionNone {
			e.Careful = "nobody pays the price in " + RegionWords(p.Region) + ": the one in every region beats it"
		}
		out = append(out, e)
	}
	out = append(out, Effect{What: "offered until", Now: op.Expiration.Words()})
	for _, a := range op.CoAuthors {
		share := FormatDecimals(int64(a.Split), 2) + " % of the price"
		out = append(out, Effect{What: "share of " + withID(a.Account, n), Now: share})
	}
	if op.PublishingFee.Amount != 0 {
		out = append(out, Effect{What: "held for who keeps it", Now: n.AmountText(op.PublishingFee), Note: "what they have not earned in the end comes back"})
	}
	if len(op.Seeders) == 0 {
		return append(out, Effect{What: "who keeps it", Now: "nobody", Note: "buyers get no key: it must be readable without one"})
	}
	return append(out, Effect{What: "who keeps it", Now: allWithIDs(op.Seeders, n),
		Note: strconv.FormatUint(uint64(op.Quorum), 10) + " of them together can restore its key"})
}

// packageEffect returns which bytes are offered. Those that are not packed yet have no hash.
func (op *ContentSubmitOp) packageEffect() Effect {
	e := Effect{What: "package", Now: fmt.Sprintf("%d MB with the hash %s", op.Size, op.Hash)}
	if op.Hash == (Hash160{}) {
		return Effect{What: "package", Now: fmt.Sprintf("at most %d MB", op.Size), Note: "its address, hash and custody data follow from its bytes"}
	}
	if op.CustodyData != nil {
		e.Note = printable.Many(op.CustodyData.N, "signature") + " prove that it is kept"
	}
	return e
}

// beneficiaries returns the seeders, who are paid for seeding, and the co-authors, who share the price.
func (op *ContentSubmitOp) beneficiaries() []AccountID {
	out := slices.Clone(op.Seeders)
	for _, a := range op.CoAuthors {
		out = append(out, a.Account)
	}
	return out
}

func (op *ContentSubmitOp) valid() error {
	var sum uint64
	included := false
	for _, a := range op.CoAuthors {
		sum += uint64(a.Split)
		included = included || a.Account == op.Author
	}
	if included {
		if err := require(sum == fullSplit, "the author is among the co-authors, so their shares must add up to 100 %; who is left out gets the rest"); err != nil {
			return err
		}
	}
	return check(require(included || sum < fullSplit, "the co-authors' shares must leave something to the author"),
		require(len(op.Price) > 0, "content needs a price"),
		require(op.Size >= 1 && op.Size <= maxContentSize, fmt.Sprintf("content must have 1 to %d megabytes", maxContentSize)))
}

// LeaveRatingAndCommentOp rates bought content.
type LeaveRatingAndCommentOp struct {
	Fee      AssetAmount `json:"fee,omitempty"`
	URI      string      `json:"URI"`
	Consumer AccountID   `json:"consumer"`
	Comment  string      `json:"comment"`
	Rating   uint64      `json:"rating"`
}

// FeePayer returns the consumer.
func (op *LeaveRatingAndCommentOp) FeePayer() AccountID { return op.Consumer }

func (*LeaveRatingAndCommentOp) declared() *declaration { return &leaveRatingAndCommentDeclaration }

var leaveRatingAndCommentDeclaration = declaration{
	code: CodeLeaveRatingAndComment, name: "leave_rating_and_comment", new: empty[LeaveRatingAndCommentOp],
	fee:      flatFee(0),
	rules:    rules((*LeaveRatingAndCommentOp).valid),
	signs:    payerSigns,
	touches:  touchesNobodyElse,
	moves:    movesNothing,
	sentence: words((*LeaveRatingAndCommentOp).sentence),
}

func (op *LeaveRatingAndCommentOp) valid() error {
	return check(require(op.Rating >= 1 && op.Rating <= maxRating, "a rating is 1 to 5"),
		require(len(op.Comment) <= maxComment, fmt.Sprintf("a comment has at most %d bytes", maxComment)))
}

func (op *LeaveRatingAndCommentOp) sentence(n Namer) string {
	return op.inWords(n, "rated", "commented")
}

func (op *LeaveRatingAndCommentOp) intent(n Namer) string { return op.inWords(n, "rates", "comments") }

func (op *LeaveRatingAndCommentOp) inWords(n Namer, rates, comments string) string {
	by, content := n.AccountName(op.Consumer), printable.Word(op.URI)
	switch {
	case op.Rating == 0:
		return fmt.Sprintf("%s %s on %s", by, comments, content)
	case op.Comment == "":
		return fmt.Sprintf("%s %s %s with %d", by, rates, content, op.Rating)
	}
	return fmt.Sprintf("%s %s %s with %d and %s", by, rates, content, op.Rating, comments)
}

// ContentCancellationOp withdraws content.
type ContentCancellationOp struct {
	Fee    AssetAmount `json:"fee,omitempty"`
	Author AccountID   `json:"author"`
	URI    string      `json:"URI"`
}

// FeePayer returns the author.
func (op *ContentCancellationOp) FeePayer() AccountID { return op.Author }

func (*ContentCancellationOp) declared() *declaration { return &contentCancellationDeclaration }

var contentCancellationDeclaration = declaration{
	code: CodeContentCancellation, name: "content_cancellation", new: empty[ContentCancellationOp],
	fee:      flatFee(0),
	rules:    noRules,
	signs:    payerSigns,
	touches:  touchesNobodyElse,
	moves:    movesNothing,
	sentence: template("{author} withdrew the content {URI}"),
}

// ReturnEscrowSubmissionOp returns the escrow of a submission; only the ledger itself does so.
type ReturnEscrowSubmissionOp struct {
	Fee     AssetAmount `json:"fee,omitempty"`
	Author  AccountID   `json:"author"`
	Escrow  AssetAmount `json:"escrow"`
	Content ContentID   `json:"content"`
}

// FeePayer returns the author.
func (op *ReturnEscrowSubmissionOp) FeePayer() AccountID { return op.Author }

func (*ReturnEscrowSubmissionOp) declared() *declaration { return &returnEscrowSubmissionDeclaration }

var returnEscrowSubmissionDeclaration = declaration{
	code: CodeReturnEscrowSubmission, name: "return_escrow_submission", new: empty[ReturnEscrowSubmissionOp], virtual: true,
	fee:     flatFee(0),
	rules:   noRules,
	signs:   payerSigns,
	touches: touchesNobodyElse,
	moves: moves(func(op *ReturnEscrowSubmissionOp) []Movement {
		return []Movement{{To: op.Author.Object(), Amount: op.Escrow}}
	}),
	sentence: template("{author} got {escrow} back for the content {content}"),
}

// RegionalPrice is the price of content in one region; 1 is "no region", 2
// the default, 3 and up the countries (docs/protocol/ledger.md 8).
type RegionalPrice struct {
	Region uint32      `json:"region"`
	Price  AssetAmount `json:"price"`
}

// CoAuthor is the share of a co-author in the price, in hundredths of a percent.
type CoAuthor struct {
	_       struct{}  `fc:"pair"`
	Account AccountID `json:"account"`
	Split   uint32    `json:"split"`
}

// BigInteger is the decimal text of a large number followed by a dot, "123.".
type BigInteger struct {
	S string `json:"s"`
}

// SetDefaults sets the members whose default is not zero.
func (v *BigInteger) SetDefaults() { v.S = "0." }

// Ciphertext is an El Gamal encrypted part of a content key.
type Ciphertext struct {
	C1 BigInteger `json:"C1"`
	D1 BigInteger `json:"D1"`
}

// CustodyData lets seeders prove that they hold the content.
type CustodyData struct {
	N      uint32   `json:"n"`
	USeed  [16]byte `json:"u_seed"`
	PubKey [33]byte `json:"pubKey"`
}
