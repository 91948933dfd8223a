// Package usertext reads text that people and other programs wrote: files, pipes, pastes and request bodies. Every text that comes from
// outside goes through it before anything else looks at it, so that a byte order mark, UTF-16, and blanks that nobody tells from a space
// mean the same everywhere:
//
//	bytes ─► Decode (mark, UTF-16) ─► parser ─► Trim (blanks around a word)
//
// A mark of UTF-8 is skipped, at the beginning and where another file was joined to the text (cat a.csv b.csv), and so is the sign with
// which DOS ends a text. UTF-16 and UTF-32 are refused by name, with or without a mark: what they hold could be guessed, but the next
// program would guess otherwise. Passwords keep their bytes, because files exist that were sealed with them: see Forms.
package usertext

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Mark is the byte order mark that some programs put before UTF-8 text.
const Mark = "\uFEFF"

// EncodingError means that a text is not UTF-8 but in the encoding it names.
type EncodingError struct{ Name string }

// Error returns a sentence that can follow the name of the file and a colon.
func (e *EncodingError) Error() string {
	return "the text is " + e.Name + ", as some programs of Windows write it; save it as UTF-8"
}

// endOfFile is the sign (Ctrl-Z) that programs of DOS put at the end of a text, some many times.
const endOfFile = 0x1A

// FormatError means that bytes are no text but a file of the format that it names.
type FormatError struct {
	Name string
	Next string // what takes it, as the end of the sentence; "" = nothing of this program
}

// Error returns a sentence that can follow the name of the file and a colon.
func (e *FormatError) Error() string {
	if e.Next != "" {
		return "it is " + e.Name + "; " + e.Next
	}
	return "it is " + e.Name + ", and no text; save what is in it as text"
}

// StartOfWallet is the number of first bytes of a file that are enough for OfWallet.
const StartOfWallet = 1 << 10

// OfWallet returns the error of a file that holds a wallet, of Billfold or of the reference, with what takes it; nil if it is none. Its first
// bytes are enough.
func OfWallet(data []byte) *FormatError {
	switch {
	case bytes.HasPrefix(data, []byte(`{"format":"billfold-backup",`)):
		return &FormatError{"a backup of a whole wallet", "billfold restore FILE puts it back, and with --check proves that it can"}
	case bytes.HasPrefix(data, []byte(`{"format":"billfold-keystore",`)):
		return &FormatError{"the key file of a wallet", "it is used where it is, in the folder that --data-dir names"}
	case IsWalletJSON(data):
		return &FormatError{"a wallet.json of cli_wallet", "billfold import FILE takes over the keys in it"}
	}
	return nil
}

// IsWalletJSON reports whether a text begins as the wallet file of the reference does, in either of its versions.
func IsWalletJSON(text []byte) bool {
	return walletJSON().Match(text[:min(len(text), StartOfWallet)])
}

// walletJSON matches the first members of that file: a request or transaction has none of them in front of such a list.
var walletJSON = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[\s\x{FEFF}]*\{\s*(?:"(?:version|update_time|chain_id)"\s*:\s*(?:[0-9.]+|"[^"]*")\s*,\s*)*"(?:my_accounts|cipher_keys)"\s*:`)
})

// Format returns the error of a file that is no text of a person but of a known format, or holds a wallet; nil if it is none. Its first bytes
// are enough, apart from lock files.
func Format(data []byte) *FormatError {
	if name := format(data); name != "" {
		return &FormatError{Name: name}
	}
	return OfWallet(data)
}

// lockOfLibreOffice matches the one line of a file .~lock.NAME#: who has NAME open, since when.
var lockOfLibreOffice = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[^\n]*,\d\d\.\d\d\.\d{4} \d\d:\d\d,file://[^\n]*;\s*$`)
})

// isLock reports whether bytes are the file that a word processor or spreadsheet keeps beside one that is open. Word's ~$NAME has the length
// of a user's name, the name in 53 bytes, and both again in UTF-16; Excel's has one byte more in between.
func isLock(data []byte) bool {
	const again, ofWord, ofExcel = 54, 162, 165
	if len(data) != ofWord && len(data) != ofExcel {
		return len(data) <= StartOfWallet && lockOfLibreOffice().Match(data)
	}
	size, second := int(data[0]), data[again+len(data)%2:]
	return 0 < size && size < again && len(bytes.Trim(data[1+size:again], " \x00")) == 0 && 0 < second[0] && second[0] < again && second[1] == 0
}

// format returns what bytes are by those that they begin with, "" if these are none of a known format that is no text, or whose text is none
// that a person wrote.
func format(data []byte) string {
	has := func(first string) bool { return bytes.HasPrefix(data, []byte(first)) }
	start := data[:min(len(data), 1<<10)]
	switch {
	case isLock(data):
		return "the lock file of a program that has another file open (~$NAME, .~lock.NAME#)"
	case isPage(start):
		return kindHTML
	case bytes.HasPrefix(bytes.TrimPrefix(data, []byte(Mark)), []byte(startOfRTF)):
		return kindRTF
	case has("PK\x03\x04") && bytes.Contains(start, []byte("opendocument")):
		return "a spreadsheet or document (.ods, .odt)"
	case has("PK\x03\x04") && (bytes.Contains(start, []byte("[Content_Types].xml")) || bytes.Contains(start, []byte("xl/"))):
		return "a spreadsheet (.xlsx)"
	case has("PK\x03\x04"), has("PK\x05\x06"):
		return "a zip archive"
	case has("\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"):
		return "a spreadsheet or document of an old Office (.xls, .doc)"
	case has("\x1F\x8B"):
		return "compressed (gzip)"
	case has("BZh"), has("\xFD7zXZ\x00"), has("\x28\xB5\x2F\xFD"), has("7z\xBC\xAF\x27\x1C"):
		return "compressed"
	case has("%PDF-"):
		return "a PDF"
	case has("SQLite format 3\x00"):
		return "a database (SQLite)"
	}
	return ""
}

// Kinds of text that a format is, too.
const (
	kindHTML = "a web page (HTML)"
	kindRTF  = "a document of a word processor (RTF)"

	startOfRTF = `{\rtf`
)

// isPage reports whether a text is the whole of a web page, and no part that begins with a sign, as a password may. It makes no copy: what is
// looked at may be a secret.
func isPage(text []byte) bool {
	text = bytes.TrimLeftFunc(bytes.TrimPrefix(text, []byte(Mark)), IsBlank)
	for _, begin := range []string{"<!doctype html", "<html"} {
		if len(text) >= len(begin) && bytes.EqualFold(text[:len(begin)], []byte(begin)) {
			return true
		}
	}
	return false
}

// Kind returns what a text is that should be something else, by its first characters, "" if they show nothing.
func Kind(text string) string {
	text = Trim(text)
	begins := func(with string) bool { return len(text) >= len(with) && strings.EqualFold(text[:len(with)], with) }
	switch {
	case isPage([]byte(text)), begins("<head"), begins("<body"), begins("<table"), begins("<meta"), begins("<div"), begins("<p>"), begins("<tr"):
		return kindHTML
	case begins("<"):
		return "XML"
	case begins(startOfRTF):
		return kindRTF
	case begins("{"), begins("["):
		return "JSON"
	case begins("-----BEGIN "):
		return "a certificate or key (PEM)"
	}
	return ""
}

// JSONFault returns why a text is no JSON, with the place and without words of a library, as the end of a sentence; "" if it is JSON.
func JSONFault(text []byte) string {
	var any json.RawMessage
	err := json.Unmarshal(text, &any)
	fault, is := errors.AsType[*json.SyntaxError](err)
	switch {
	case err == nil:
		return ""
	case !is || fault.Offset >= int64(len(text)) && strings.Contains(err.Error(), "unexpected end"):
		line, _ := Place(text, len(text))
		return fmt.Sprintf("it was cut short: it ends in line %d, in the middle of its JSON", line)
	}
	at := int(max(fault.Offset-1, 0))
	line, begin := Place(text, at)
	if SecondJSON(text) > 0 {
		return fmt.Sprintf("line %d, column %d: a second text of JSON begins there, as where two files were joined; leave one of them", line, utf8.RuneCount(text[begin:at])+1)
	}
	what := "what stands there is no JSON"
	if text[at] == 0 {
		what = "a zero byte stands there, as a crash or a failing disk leaves them in a file"
	}
	return fmt.Sprintf("line %d, column %d: %s", line, utf8.RuneCount(text[begin:at])+1, what)
}

// SecondJSON returns the line in which a second object or list of JSON begins right behind the first, 0 if none does.
func SecondJSON(text []byte) (line int) {
	d := json.NewDecoder(bytes.NewReader(text))
	var any json.RawMessage
	if d.Decode(&any) != nil {
		return 0
	}
	at := int(d.InputOffset())
	rest := bytes.TrimLeft(text[at:], " \t\r\n")
	if len(rest) == 0 || rest[0] != '{' && rest[0] != '[' {
		return 0
	}
	line, _ = Place(text, len(text)-len(rest))
	return line
}

// RepeatedMember returns the first member of an object of JSON that occurs twice in it, in any case of its letters, "" if none does: programs
// differ in which of them they read.
func RepeatedMember(object []byte) string {
	seen := map[string]bool{}
	var value json.RawMessage
	d := json.NewDecoder(bytes.NewReader(object))
	for _, err := d.Token(); err == nil && d.More(); {
		var token json.Token
		if token, err = d.Token(); err == nil {
			err = d.Decode(&value)
		}
		name, isText := token.(string)
		if err != nil || !isText {
			break
		}
		if seen[strings.ToLower(name)] {
			return name
		}
		seen[strings.ToLower(name)] = true
	}
	return ""
}

// InvalidAt returns the first byte of a text that is not UTF-8, with its line and its place in that line, both from 1; at is 0 if there is none.
func InvalidAt(text []byte) (line, at int, wrong byte) {
	if utf8.Valid(text) {
		return 0, 0, 0
	}
	i := 0
	for i < len(text) {
		r, n := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && n == 1 {
			break
		}
		i += n
	}
	line, begin := Place(text, i)
	return line, i - begin + 1, text[i]
}

// Place returns the line of a byte of a text, from 1, and where that line begins.
func Place(text []byte, at int) (line, begin int) {
	line = 1
	for i, b := range text[:min(at, len(text))] {
		if b == '\n' || b == '\r' && (i+1 == len(text) || text[i+1] != '\n') {
			line, begin = line+1, i+1
		}
	}
	return line, begin
}

// Decode returns a text without its marks and signs of its end. Errors: an *EncodingError or a *FormatError, and no other. Text in neither
// UTF-8 nor one of these encodings is left to its parser.
func Decode(text []byte) ([]byte, error) {
	if name := encoding(text); name != "" {
		return nil, &EncodingError{name}
	}
	if other := Format(text); other != nil {
		return nil, other
	}
	return unmarked(text), nil
}

// unmarked returns a text without its marks and signs of its end.
func unmarked(text []byte) []byte {
	text = bytes.TrimPrefix(text, []byte(Mark))
	before := len(bytes.TrimRight(text, "\x1a\r\n"))
	if at := bytes.IndexByte(text[before:], endOfFile); at >= 0 {
		text = text[:before+at]
	}
	if bytes.Contains(text, []byte(Mark)) || bytes.IndexByte(text, endOfFile) >= 0 {
		text = joined().ReplaceAll(text, []byte("$1"))
	}
	return text
}

// joined matches a line end with the sign of an end and the mark behind it, where another file was joined to a text.
var joined = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`([\r\n])[\x1a\x{FEFF}]+`) })

// DecodeJSON is Decode for JSON. Blanks that only look like those of JSON, such as no-break ones from a web page, become spaces where they
// are between values; strings stay as they are.
func DecodeJSON(text []byte) ([]byte, error) {
	text, err := Decode(text)
	if err != nil {
		return nil, err
	}
	return plainBlanks(text), nil
}

// DecodeWalletJSON is DecodeJSON for what takes the wallet file of the reference, which Decode refuses for all else.
func DecodeWalletJSON(text []byte) ([]byte, error) {
	if IsWalletJSON(text) {
		return plainBlanks(unmarked(text)), nil
	}
	return DecodeJSON(text)
}

// plainBlanks returns a text of JSON with spaces for odd blanks between values.
func plainBlanks(text []byte) []byte {
	if !bytes.ContainsFunc(text, isOddBlank) {
		return text
	}
	out := make([]byte, 0, len(text))
	inside, escaped := false, false
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		switch {
		case !inside && isOddBlank(r):
			out = append(out, ' ')
		default:
			out = append(out, text[:n]...)
		}
		inside = inside != (r == '"' && !escaped)
		escaped = inside && r == '\\' && !escaped
		text = text[n:]
	}
	return out
}

// DecodeLine is Decode, apart from formats of files, for the first line of a text that is read line by line. Signs of the end stay, and are
// blanks: the line may be a password.
func DecodeLine(line string) (string, error) {
	if name := encoding([]byte(line)); name != "" {
		return "", &EncodingError{name}
	}
	return strings.TrimPrefix(line, Mark), nil
}

// Lines returns the lines of a text without their ends, each of which is a line feed, a carriage return or both: old programs
// and some spreadsheets write the return alone.
func Lines(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for text != "" {
			line, end := text, ""
			if at := strings.IndexAny(text, "\r\n"); at >= 0 {
				line, end = text[:at], text[at:at+1]
				if strings.HasPrefix(text[at:], "\r\n") {
					end = "\r\n"
				}
			}
			text = text[len(line)+len(end):]
			if !yield(line) {
				return
			}
		}
	}
}

// encoding returns the name of the encoding of a text that is not UTF-8: by its mark, or because every other one of its first bytes is
// zero, as in Latin text. Its last byte may be half a character, where a line was cut off.
func encoding(text []byte) string {
	switch {
	case bytes.HasPrefix(text, []byte("\xff\xfe\x00\x00")), bytes.HasPrefix(text, []byte("\x00\x00\xfe\xff")):
		return "UTF-32"
	case bytes.HasPrefix(text, []byte("\xff\xfe")), bytes.HasPrefix(text, []byte("\xfe\xff")):
		return "UTF-16"
	case len(text) >= 4 && text[0] != 0 && text[1] == 0 && text[2] != 0 && text[3] == 0,
		len(text) >= 4 && text[0] == 0 && text[1] != 0 && text[2] == 0 && text[3] != 0:
		return "UTF-16"
	}
	return ""
}

// IsBlank reports whether a character is a blank of any kind: a space, a tab or line end, a no-break or wide space, one without width, or
// the sign of an end.
func IsBlank(r rune) bool {
	return unicode.IsSpace(r) || r == endOfFile || strings.ContainsRune("\u180E\u200B\u2060\uFEFF", r)
}

// isOddBlank reports whether a character is a blank, and none of JSON.
func isOddBlank(r rune) bool {
	return r >= utf8.RuneSelf && IsBlank(r) || r == '\v' || r == '\f' || r == endOfFile
}

// Trim returns a text without the blanks around it.
func Trim(text string) string { return strings.TrimFunc(text, IsBlank) }

// PlainSigns says how signs of a word processor are typed, as the end of a sentence.
const PlainSigns = `write it as on a keyboard: - and --, ' and "`

// DashInFront names the dash in front of a word that a word processor or a web page wrote in place of - or --, "" = none.
func DashInFront(word string) string {
	if r, _ := utf8.DecodeRuneInString(word); r != '-' && unicode.Is(unicode.Pd, r) || strings.ContainsRune("\u02D7\u2043\u207B\u2212\u2500\u2796\u30FC\u3161", r) {
		return fmt.Sprintf("a dash of a word processor in front (U+%04X)", r)
	}
	return ""
}

// quoteSigns are the quotes that word processors and web pages write in place of those of a keyboard, openingSigns and closingSigns those that
// begin and end a text in some language.
const (
	quoteSigns   = "“”„‟«»‘’‚‛‹›＂"
	openingSigns = "“”„‟«»‘‚‛‹›＂"
	closingSigns = "“”‟«»‘’‹›＂"
)

// QuoteIn names the first quote in a word that a word processor or a web page wrote in place of a plain one, "" = none.
func QuoteIn(word string) string {
	if at := strings.IndexAny(word, quoteSigns); at >= 0 {
		r, _ := utf8.DecodeRuneInString(word[at:])
		return fmt.Sprintf("a quote of a word processor in it (U+%04X)", r)
	}
	return ""
}

// QuoteAround is QuoteIn for a quote at an end of a word alone, where it was meant to begin or end a text.
func QuoteAround(word string) string {
	first, _ := utf8.DecodeRuneInString(word)
	last, size := utf8.DecodeLastRuneInString(word)
	switch {
	case word == "":
	case strings.ContainsRune(openingSigns, first):
		return QuoteIn(word)
	case strings.ContainsRune(closingSigns, last):
		return QuoteIn(word[len(word)-size:])
	}
	return ""
}

// dashSigns are the dashes that word processors and web pages write in place of -, and that are no letter of any script.
const dashSigns = "\u2010\u2011\u2012\u2013\u2014\u2015\u2E3A\u2E3B\u2212\u02D7\u2043\u207B\uFE58\uFE63\uFF0D"

// SignIn names the first dash or quote in a text that a word processor or a web page wrote in place of a plain one, and its position in
// characters from 1; "" = none.
func SignIn(text string) (sign string, position int) {
	for _, r := range text {
		position++
		switch {
		case strings.ContainsRune(dashSigns, r):
			return fmt.Sprintf("a dash of a word processor (U+%04X)", r), position
		case strings.ContainsRune(quoteSigns, r):
			return fmt.Sprintf("a quote of a word processor (U+%04X)", r), position
		}
	}
	return "", 0
}

// Words returns the words of a text, which blanks of any kind separate.
func Words(text string) []string { return strings.FieldsFunc(text, IsBlank) }

// Normal returns a password in the form in which it is stored: without a mark in front, and with its characters as Unicode composes them
// (NFKC), so that every keyboard and every system types the same.
func Normal(password string) string { return norm.NFKC.String(strings.TrimPrefix(password, Mark)) }

// Forms returns what a password that was given may have been when its file was sealed, most likely first: its Normal form; its very bytes,
// as before passwords were normalised; and these without blanks around them, a mark, or zeros behind them, which a file adds and nobody types.
// None is empty.
func Forms(password string) []string {
	var forms []string
	bare := strings.TrimRight(password, "\x00")
	for _, form := range []string{Normal(password), password, Normal(Trim(bare)), strings.TrimPrefix(password, Mark), Normal(bare)} {
		if form != "" && !slices.Contains(forms, form) {
			forms = append(forms, form)
		}
	}
	return forms
}

// Unseen returns the first character of a new password that nobody can see, type or tell from another, and its position in characters from
// 1; ok is false if there is none. Blanks between other characters are seen; one at the ends is not.
func Unseen(password string) (r rune, position int, ok bool) {
	runes := []rune(password)
	for i, r := range runes {
		atEnd := i == 0 || i == len(runes)-1
		switch {
		case unicode.IsControl(r), unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector),
			r == utf8.RuneError, strings.ContainsRune("\u2800\u3164\uFFA0", r), atEnd && IsBlank(r):
			return r, i + 1, true
		}
	}
	return 0, 0, false
}

// PasswordProblem returns why a new password is refused wherever it comes from, "" if nothing is wrong with it: what nobody could type again
// from what they see, in its Normal form. A password that exists already is not asked about this: see Forms.
func PasswordProblem(password string) string {
	if name := encoding([]byte(password)); name != "" {
		return "a password cannot be read: " + (&EncodingError{name}).Error()
	}
	for i, r := range []rune(strings.TrimPrefix(password, Mark)) { // as they were typed: composed, one may be another
		_, _, unseen := Unseen("x" + norm.NFKC.String(string(r)) + "x")
		switch {
		case unseen && r != utf8.RuneError:
			return fmt.Sprintf("character %d of the password is invisible: U+%04X", i+1, r)
		case !isAssigned(r):
			return fmt.Sprintf("character %d of the password has no meaning in Unicode, so that it looks different elsewhere, or like nothing: U+%04X", i+1, r)
		}
	}
	return Problem("the password", Normal(password))
}

// isAssigned reports whether Unicode says which character r is: it is not one for private use, and none that is yet to be chosen.
func isAssigned(r rune) bool {
	return !unicode.In(r, unicode.Cn, unicode.Co)
}

// Problem returns why a new text is not what somebody gets who types it again from what they see, "" if nothing is wrong with it: a character
// that Unseen finds, a blank that looks like a space, or one that Unicode composes otherwise. what names the text in the sentence, which has
// no other character of it: it may be a secret.
func Problem(what, text string) string {
	switch r, at, found := Unseen(text); {
	case found && r == utf8.RuneError:
		return fmt.Sprintf("character %d of %s is not UTF-8 text", at, what)
	case found && r == ' ':
		return fmt.Sprintf("%s has a blank at an end, as its character %d, which nobody sees", what, at)
	case found:
		return fmt.Sprintf("character %d of %s is invisible: U+%04X", at, what, r)
	}
	runes := []rune(text)
	if at := slices.IndexFunc(runes, isOddBlank); at >= 0 {
		return fmt.Sprintf("character %d of %s looks like a space and is none: U+%04X", at+1, what, runes[at])
	}
	if norm.NFC.IsNormalString(text) {
		return ""
	}
	at := 0
	for composed := []rune(norm.NFC.String(text)); at < len(composed) && at < len(runes)-1 && composed[at] == runes[at]; {
		at++
	}
	if at+1 < len(runes) && unicode.Is(unicode.M, runes[at+1]) && !unicode.Is(unicode.M, runes[at]) { // the mark is what is wrong, not the letter that it is on
		at++
	}
	return fmt.Sprintf("character %d of %s is not as Unicode composes text (NFC): U+%04X", at+1, what, runes[at])
}
