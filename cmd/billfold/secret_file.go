package main

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"billfold/ledger"
	"billfold/ledger/usertext"
)

// Errors of a secret that has a line end in it.
var (
	errSeveralLines = errors.New("there are several lines, and it is one; leave that line alone there")
	errFirstEmpty   = errors.New("its first line is empty, and the secret is that line; leave the secret alone there, without a line before it")
)

// secretIn returns the secret that a file, a pipe or a command has, a part of text: without a mark in front, and without the line ends behind
// it. Every secret that is not typed is read here, and an empty one never means that there is none. Errors: an *usertext.EncodingError,
// errSeveralLines or errFirstEmpty with the lines, and one for an empty text.
func secretIn(text []byte) ([]byte, error) {
	plain, err := usertext.Decode(text)
	if err != nil {
		return nil, err
	}
	line := bytes.TrimRight(plain, "\r\n")
	switch {
	case len(bytes.Trim(line, "\x00")) == 0:
		return nil, errors.New("it is empty; write the secret there, in one line")
	case bytes.ContainsAny(line, "\r\n"):
		if first := line[:bytes.IndexAny(line, "\r\n")]; len(usertext.Trim(string(first))) == 0 {
			return line, errFirstEmpty
		}
		return line, errSeveralLines
	}
	return line, nil
}

// tokenIn returns the token in the text of a file, which it checks: it is sent in a header, which takes no other characters. Its errors
// never repeat the text.
func tokenIn(text []byte) (string, error) {
	line, err := secretIn(bytes.Trim(text, "\r\n\x00 \t"))
	if err != nil {
		return "", err
	}
	token := usertext.Trim(string(line))
	first, _, several := strings.Cut(token, " ")
	switch {
	case token == "":
		return "", errors.New("it is empty; write the token there that billfold token new printed")
	case ledger.SecretIn(token) != "":
		return "", errors.New("it has " + ledger.SecretIn(token) + " in it, which is sent to nobody; name the file with the token that billfold token new printed")
	case strings.EqualFold(first, "bearer"), strings.HasSuffix(strings.ToLower(first), "authorization:"):
		return "", errors.New("it has the header in which the token is sent; leave the token alone there, without Bearer")
	case strings.ContainsAny(token, "\"'`“”„‘’«»"):
		return "", errors.New("there are quotes in it; leave the token alone there")
	case several:
		return "", errors.New("it has a blank in it, and a token has none; leave the token alone there")
	}
	for i, r := range []rune(token) {
		if r <= ' ' || r >= 0x7F {
			return "", fmt.Errorf("its character %d is U+%04X, which no token has; copy the token there again", i+1, r)
		}
	}
	return token, nil
}

// namedFlag is a flag that names a file, or another place. Without a value, as where a variable of a shell is not set, it is refused: it
// would read as if it had been left out.
type namedFlag struct{ name *string }

// String implements pflag.Value.
func (f namedFlag) String() string {
	if f.name == nil {
		return ""
	}
	return *f.name
}

// Set implements pflag.Value.
func (f namedFlag) Set(text string) error {
	if usertext.Trim(text) == "" {
		return errors.New("it is empty; leave it out, or name what it needs")
	}
	*f.name = text
	return nil
}

// Type implements pflag.Value.
func (f namedFlag) Type() string { return "string" }
