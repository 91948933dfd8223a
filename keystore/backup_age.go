package keystore

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"billfold/ledger/usertext"

	"filippo.io/age"
)

// A backup can be sealed to recipients of age in place of a password: whoever makes it needs no secret, and only their identities open it. It
// is a file of age (https://age-encryption.org/v1), which other tools open too. In it are
//
//	line    {"format":"billfold-backup","version":1}
//	stream  the same as under a password
const (
	ageMagic     = "age-encryption.org/v1\n"
	lenAgeHeader = len(backupMagic) + len("1}\n")
)

func ageHeader(version int) string { return backupMagic + strconv.Itoa(version) + "}\n" }

// Recipients are whom a backup is sealed to. The zero value is nobody.
type Recipients struct{ list []age.Recipient }

// None reports whether there is no recipient.
func (r Recipients) None() bool { return len(r.list) == 0 }

// ParseRecipients parses recipients as people write them: age1…, also those that resist quantum computers, all or none of which do. Its errors
// are sentences and never repeat a text, which may be an identity by mistake.
func ParseRecipients(texts []string) (r Recipients, err error) {
	resisting := 0
	for i, text := range texts {
		text = usertext.Trim(text)
		var one age.Recipient
		switch form := ageForms(); {
		case form.secret.MatchString(text):
			return r, recipientError(i, "is an identity of age, which is secret, and not repeated here",
				"give the recipient that belongs to it, which age-keygen -y prints, and make a new identity if somebody else could have read this one")
		case strings.HasPrefix(text, "age1pq1"):
			resisting++
			one, err = age.ParseHybridRecipient(text)
		case form.plugin.MatchString(text):
			return r, recipientError(i, "belongs to a plugin of age, which Billfold does not run", "give one that age-keygen prints")
		case strings.HasPrefix(text, "age1"):
			one, err = age.ParseX25519Recipient(text)
		case strings.HasPrefix(text, "ssh-"):
			return r, recipientError(i, "is a key of SSH", "give a recipient of age, which age-keygen prints and which begins with age1")
		default:
			return r, recipientError(i, "is none of age", "a recipient begins with age1, and age-keygen prints it with each new identity")
		}
		if err != nil {
			return r, recipientError(i, "has a letter too many, too few or mistyped", "copy it again, whole")
		}
		r.list = append(r.list, one)
	}
	if resisting != 0 && resisting != len(texts) {
		return Recipients{}, backupError(ErrInvalid, "Some recipients resist quantum computers (age1pq1…) and some do not, and a backup is as strong as the weakest",
			"give recipients of one kind")
	}
	return r, nil
}

func recipientError(i int, what, hint string) error {
	return backupError(ErrInvalid, fmt.Sprintf("Recipient %d %s", i+1, what), hint)
}

// Identities open what was sealed to their recipients.
type Identities struct{ list []age.Identity }

// ParseIdentities parses the text of a file of identities, as age-keygen writes it. Its errors are sentences and never repeat the text.
func ParseIdentities(text []byte) (ids Identities, err error) {
	plain, err := usertext.Decode(text)
	if err != nil {
		return ids, backupError(ErrInvalid, "The identity cannot be read: "+err.Error(), "name the file that age-keygen made")
	}
	for n, line := range strings.Split(string(plain), "\n") {
		var one age.Identity
		switch line = usertext.Trim(line); {
		case line == "" || line[0] == '#':
			continue
		case n == 0 && (line+"\n" == ageMagic || line == "-----BEGIN AGE ENCRYPTED FILE-----"):
			return ids, backupError(ErrInvalid, "The identity is encrypted itself", "decrypt it for Billfold: --identity=command:'age -d FILE'")
		case strings.HasPrefix(line, "AGE-SECRET-KEY-PQ-1"):
			one, err = age.ParseHybridIdentity(line)
		case strings.HasPrefix(line, "AGE-SECRET-KEY-1"):
			one, err = age.ParseX25519Identity(line)
		case strings.HasPrefix(line, "age1"):
			return ids, identityError(n, "is a recipient, which is public and opens nothing", "name the file of its identity, which age-keygen made")
		case strings.HasPrefix(line, "AGE-PLUGIN-"):
			return ids, identityError(n, "belongs to a plugin of age, which Billfold does not run", "open the backup with age -d")
		case strings.HasPrefix(line, "-----BEGIN "):
			return ids, identityError(n, "begins a key of another kind", "name the file that age-keygen made")
		default:
			return ids, identityError(n, "is no identity of age", "name the file that age-keygen made")
		}
		if err != nil {
			return ids, identityError(n, "has a letter too many, too few or mistyped", "use a copy of the file that is whole")
		}
		ids.list = append(ids.list, one)
	}
	if len(ids.list) == 0 {
		return ids, backupError(ErrInvalid, "There is no identity in it", "name the file that age-keygen made")
	}
	return ids, nil
}

func identityError(n int, what, hint string) error {
	return backupError(ErrInvalid, fmt.Sprintf("Line %d of the identity %s", n+1, what), hint)
}

var ageForms = sync.OnceValue(func() (f struct{ secret, plugin *regexp.Regexp }) {
	f.secret = regexp.MustCompile(`(?i)^AGE-(SECRET-KEY|PLUGIN)`)
	f.plugin = regexp.MustCompile(`^age1[a-z0-9+._-]*1`) // the letters behind age1 have no other 1
	return f
})

// SealBackupTo writes the header of a backup to recipients to to and returns what seals the rest; the backup is whole once its Close has
// returned nil.
func SealBackupTo(to io.Writer, version int, recipients Recipients) (io.WriteCloser, error) {
	sealed, err := age.Encrypt(to, recipients.list...)
	if err != nil {
		return nil, err
	}
	_, err = sealed.Write([]byte(ageHeader(version)))
	return sealed, err
}

// OpenBackupWith opens a backup with an identity of one of its recipients. Errors: ErrWrongPassword for other identities, ErrForeign, ErrVersion,
// ErrDamaged (also from Read), those of from.
func OpenBackupWith(from io.Reader, identities Identities) (io.Reader, error) {
	source := &source{from: from}
	opened, err := age.Decrypt(source, identities.list...)
	if _, is := errors.AsType[*age.NoIdentityMatchError](err); is && source.err == nil {
		return nil, backupError(ErrWrongPassword, "This identity does not open the backup", "name the file of one that it was sealed to; nothing was restored from it")
	}
	if err != nil {
		return nil, source.explain()
	}
	b := &agedBackup{source, bufio.NewReader(opened)}
	start, err := b.plain.Peek(lenAgeHeader)
	switch {
	case err != nil && !errors.Is(err, io.EOF):
		return nil, source.explain()
	case string(start) == ageHeader(BackupOfWallet), string(start) == ageHeader(BackupWithArchives):
		_, err = b.plain.Discard(len(start))
		return b, err
	case !bytes.HasPrefix(start, []byte(backupMagic)):
		return nil, backupError(ErrForeign, "What age encrypted there is not a backup of Billfold", "name a file that billfold backup made")
	}
	return nil, backupError(ErrVersion, "The backup has a version that this program does not know", "restore it with the newer Billfold that made it")
}

// agedBackup reads what was sealed to recipients.
type agedBackup struct {
	source *source
	plain  *bufio.Reader
}

// Read implements io.Reader. It returns io.EOF only after the last piece.
func (b *agedBackup) Read(into []byte) (int, error) {
	n, err := b.plain.Read(into)
	if err != nil && !errors.Is(err, io.EOF) {
		err = b.source.explain()
	}
	return n, err
}

// source remembers the error of the file, which age puts into words of its own.
type source struct {
	from io.Reader
	err  error
}

// Read implements io.Reader.
func (s *source) Read(into []byte) (int, error) {
	n, err := s.from.Read(into)
	if err != nil && !errors.Is(err, io.EOF) {
		s.err = err
	}
	return n, err
}

// explain returns the error of a backup that cannot be read: that of the file, or else that it is damaged.
func (s *source) explain() error {
	if s.err != nil {
		return s.err
	}
	return damagedBackup()
}
