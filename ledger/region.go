package ledger

import "strings"

// The regions that are not countries (docs/protocol/ledger.md 8).
const (
	RegionNone    = 1 // content that costs the same everywhere
	RegionDefault = 2 // every country without a price of its own

	firstCountry = 3
)

// countries lists the ISO codes of the regions from firstCountry on, in order.
const countries = "AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS " +
	"BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE " +
	"EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM " +
	"HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC " +
	"LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA " +
	"NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW " +
	"SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO " +
	"TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW"

// codeLength is the length of a country code and the space after it.
const codeLength = 3

// RegionCode returns the region of a text: "" for none, "default", or a country
// code of two capital letters.
func RegionCode(text string) (region uint32, known bool) {
	switch text {
	case "":
		return RegionNone, true
	case "default":
		return RegionDefault, true
	}
	i := strings.Index(countries, text)
	if len(text) != codeLength-1 || i < 0 || i%codeLength != 0 {
		return 0, false
	}
	return uint32(firstCountry + i/codeLength), true
}

// RegionText returns the text of a region, as RegionCode reads it; that of none for one that there is not.
func RegionText(region uint32) string {
	switch i := int(region) - firstCountry; {
	case region == RegionDefault:
		return "default"
	case i >= 0 && (i+1)*codeLength-1 <= len(countries):
		return countries[i*codeLength : i*codeLength+codeLength-1]
	}
	return ""
}

// RegionWords returns a region for people: "every region", "every region without a price of its own", "the region AT".
func RegionWords(region uint32) string {
	switch text := RegionText(region); {
	case region == RegionNone:
		return "every region"
	case region == RegionDefault:
		return "every region without a price of its own"
	case text != "":
		return "the region " + text
	}
	return "an unknown region"
}

// IsRegion reports whether a region is one that content can have a price in.
func IsRegion(region uint32) bool {
	return region >= RegionNone && region <= firstCountry+uint32(len(countries)/codeLength)
}
