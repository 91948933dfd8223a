package setting

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"unicode"

	"billfold/ledger"
)

// Given is a text of the command line, the environment or the file.
type Given struct {
	Where string // what it was given to, such as "--token-file"
	Text  string
	Place bool // it names a file, an address or a name, in place of which a secret may stand
}

// HideSecret returns err as it is, unless it repeats a text that seems to be a secret: then it returns a *HiddenError in its place.
func HideSecret(err error, given ...Given) error {
	if err == nil {
		return nil
	}
	for _, g := range given {
		for _, part := range strings.Split(g.Text, ",") {
			if g.isNoFile(part) && repeats(err.Error(), part) {
				return &HiddenError{g.Where, noFile, err}
			}
		}
		for _, word := range append(Words(g.Text), g.Text) {
			if kind := g.secret(word); kind != "" && repeats(err.Error(), word) {
				return &HiddenError{g.Where, kind, err}
			}
		}
	}
	return err
}

// RefuseSecret returns a *HiddenError if one of the texts seems to be a secret, for whoever would repeat all of them.
func RefuseSecret(given ...Given) error {
	for _, g := range given {
		if kind := g.secret(g.Text); kind != "" {
			return &HiddenError{where: g.Where, kind: kind}
		}
	}
	return nil
}

// RefusePlaces returns a *HiddenError if one of the texts is certainly a secret and stands where a file or folder belongs.
func RefusePlaces(given ...Given) error {
	for _, g := range given {
		if kind := certainSecret(g.Text); g.Place && kind != "" {
			return &HiddenError{where: g.Where, kind: kind}
		}
	}
	return nil
}

// HideSecrets is HideSecret for the values of all settings, wherever they came from.
func (t *Table) HideSecrets(err error) error {
	var all []Given
	for i := range t.settings {
		s := &t.settings[i]
		all = append(all, s.given("--"+s.Name, t.viper.GetString(s.Name)))
		all = append(all, s.given("--"+s.Name, t.fileText[s.Name]))
	}
	return HideSecret(err, all...)
}

// given returns a value of the setting. Digits that are no secret where they belong look like one.
func (s *Setting) given(where, text string) Given {
	digits := s.Value.Kind == "64 hex digits" || s.Value.Kind == "SHA-256"
	return Given{where, text, !digits || strings.Trim(text, "0123456789abcdefABCDEF:") != ""}
}

// HiddenError stands for an error that repeats a secret. The error that it wraps, if any, is for its exit code alone, and is never shown.
type HiddenError struct {
	where, kind string
	err         error
}

// Error returns what seems to have happened, and what to do next.
func (e *HiddenError) Error() string {
	if e.kind == noFile || e.kind == likeRandom && errors.Is(e.err, fs.ErrNotExist) {
		return e.where + " names no file that exists, and is not repeated here, as a password or token itself may stand where its file belongs; write that into a file that only you can " +
			"read, and name that file by its path"
	}
	if e.kind == likeRandom {
		return e.where + " does not take what was given, which is not repeated here, as it looks like a password or token; correct it, and keep a secret in a file that only you can read"
	}
	if e.kind == withPassword {
		return fmt.Sprintf("%s has %s, which is not repeated here; leave out what stands before the @", e.where, e.kind)
	}
	return fmt.Sprintf("%s seems to have %s itself, which is not repeated here; write it into a file that only you can read, and name that file where one belongs",
		e.where, e.kind)
}

// Unwrap returns the error that repeats the secret.
func (e *HiddenError) Unwrap() error { return e.err }

// isNoFile reports whether a text stands where the name of a file with a secret belongs, and is none by what it looks like and by what there is.
func (g Given) isNoFile(text string) bool {
	if text == "" || text == "-" || !secretForms().file.MatchString(g.Where) || strings.ContainsAny(text, `/\`) || secretForms().other.MatchString(text) {
		return false
	}
	_, err := os.Lstat(text)
	return err != nil
}

const noFile = "no file"

// likeRandom is a guess: many an id looks like that.
const likeRandom = "a password or token"

const withPassword = "an address with a user or password in it"

var secretForms = sync.OnceValue(func() (f struct{ token, age, user, pair, store, random, file, other, id *regexp.Regexp }) {
	f.token = regexp.MustCompile(`billfold_[a-z2-7]{8}_[a-z2-7]{20,}`)
	f.age = regexp.MustCompile(`(?i)AGE-(SECRET-KEY|PLUGIN)-[A-Z0-9-]{10,}`)
	f.user = regexp.MustCompile(`^(?:[A-Za-z][A-Za-z0-9+.-]*://[^/?#\s]*|[^/?#\s@:]+:[^/?#\s@]+)@`)
	f.pair = regexp.MustCompile(`(?i)(?:^|[?&;\s])(?:token|password|passwd|secret)=[^&;\s]`)
	f.store = regexp.MustCompile(`^postgres(ql)?://[^/?#\s:]*@`) // a user without a password, as that setting wants it
	f.random = regexp.MustCompile(`^[^\s/\\]{16,}$`)
	f.file = regexp.MustCompile(`^--(.*-)?(password|token|key)-(file|from)$|^--unlock-from$|^--identity$|^--rpc-tls-key$`)
	// Ids of a transaction, a chain or a record, of anything, and of content in IPFS.
	f.id = regexp.MustCompile(`^(?:[0-9a-f]{40}|[0-9a-f]{64}|(?i:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})|Qm[1-9A-HJ-NP-Za-km-z]{44}|b[a-z2-7]{58})$`)
	f.other = regexp.MustCompile(`^(fd|credential|command):|\.[A-Za-z]{1,9}$|^~$`) // another place, an extension, or the home folder
	return f
})

// certainSecret returns which secret a text holds by its form alone, wherever it stands; "" for none.
func certainSecret(text string) string {
	switch held := ledger.SecretIn(text); {
	case held != "":
		return held
	case secretForms().token.MatchString(text):
		return "a token"
	case secretForms().age.MatchString(text):
		return "an identity of age"
	}
	return ""
}

// secret returns which secret a word of the text seems to be, "" for none.
func (g Given) secret(word string) string {
	forms := secretForms()
	switch held := certainSecret(word); {
	case held != "":
		return held
	case forms.user.MatchString(word) && !forms.store.MatchString(word):
		return withPassword
	case forms.pair.MatchString(word):
		return "a password or token after its name"
	case g.Place && forms.random.MatchString(word) && isRandom(word):
		return likeRandom
	}
	return ""
}

// isRandom reports whether a word has letters and digits, or small and capital letters, mixed as nobody names a file or a machine.
func isRandom(word string) bool {
	if secretForms().id.MatchString(word) {
		return false
	}
	if ext := filepath.Ext(word); len(ext) > 1 && len(ext) <= len(".billfold") {
		return false
	}
	changes, before := 0, 'a'
	class := func(r rune) rune {
		switch {
		case unicode.IsUpper(r):
			return 'A'
		case unicode.IsLetter(r):
			return 'a'
		case unicode.IsDigit(r):
			return '0'
		}
		return '-'
	}
	for _, r := range word {
		now := class(r)
		if now != before && now != '-' && before != '-' {
			changes++
		}
		before = now
	}
	return changes >= 7 || changes >= 5 && strings.ContainsAny(word, "0123456789") // as names of several words have
}

// repeats reports whether a text has a part of a secret that is long enough to recognise it.
func repeats(text, secret string) bool {
	if from, rest, found := strings.Cut(secret, "://"); found && from != "" {
		secret = rest[:strings.LastIndex(rest, "@")+1]
	}
	const enough = 10
	letters := []rune(secret)
	if len(letters) < enough { // no part of another word
		return regexp.MustCompile(`(^|[^\pL\pN])` + regexp.QuoteMeta(secret) + `($|[^\pL\pN])`).MatchString(text)
	}
	n := min(enough, len(letters))
	return strings.Contains(text, string(letters[:n])) || strings.Contains(text, string(letters[len(letters)-n:]))
}
