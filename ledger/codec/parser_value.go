package codec

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"billfold/ledger/printable"
)

func (p *Parser) enter() error {
	if p.depth++; p.depth > maxDepth {
		return errDeep
	}
	return nil
}

// Array calls item for each element; item must read it.
func (p *Parser) Array(item func() error) error {
	if err := p.want('['); err != nil {
		return err
	}
	if err := p.enter(); err != nil {
		return err
	}
	defer func() { p.depth-- }()
	for first := true; p.Peek() != ']'; first = false {
		if !first {
			if err := p.separator(']'); err != nil {
				return err
			}
		}
		if err := item(); err != nil {
			return err
		}
	}
	p.pos++
	return nil
}

// separator reads the comma between two items; a trailing comma is an error.
func (p *Parser) separator(closing byte) error {
	if p.Peek() != ',' {
		return ErrJSON
	}
	p.pos++
	if p.Peek() == closing {
		return ErrJSON
	}
	return nil
}

// Object calls member with each name; member must read the value.
func (p *Parser) Object(member func(name []byte) error) error {
	if err := p.want('{'); err != nil {
		return err
	}
	if err := p.enter(); err != nil {
		return err
	}
	defer func() { p.depth-- }()
	for first := true; p.Peek() != '}'; first = false {
		if !first {
			if err := p.separator('}'); err != nil {
				return err
			}
		}
		name, _, err := p.textBytes()
		if err != nil {
			return err
		}
		if err := p.want(':'); err != nil {
			return err
		}
		if err := member(name); err != nil {
			return err
		}
	}
	p.pos++
	return nil
}

// Tagged reads [number, value], the form of a variant; number is at most most.
func (p *Parser) Tagged(most uint64, value func(n uint64) error) error {
	part := 0
	err := p.Array(func() error {
		part++
		switch part {
		case 1:
			text, err := p.Whole()
			if err != nil {
				return err
			}
			n, err := strconv.ParseUint(text, 10, 64)
			if err != nil || n > most {
				return fmt.Errorf("type number %q is not known", printable.Clip(text))
			}
			part = 1
			return p.afterTag(n, value)
		}
		return errors.New("a choice is [number, value]")
	})
	if err == nil && part == 0 {
		return errors.New("a choice is [number, value]")
	}
	return err
}

// afterTag reads the comma and the value, leaving only the closing bracket.
func (p *Parser) afterTag(n uint64, value func(n uint64) error) error {
	if p.Peek() != ',' {
		return errors.New("a choice is [number, value]")
	}
	p.pos++
	return value(n)
}

// Raw returns the text of the next value, after checking that it is JSON.
func (p *Parser) Raw() (json.RawMessage, error) {
	p.skipSpace()
	start := p.pos
	if err := p.Skip(); err != nil {
		return nil, err
	}
	return json.RawMessage(p.data[start:p.pos]), nil
}

// Skip skips the next value.
func (p *Parser) Skip() error {
	switch c := p.Peek(); {
	case c == '{':
		return p.Object(func([]byte) error { return p.Skip() })
	case c == '[':
		return p.Array(p.Skip)
	case c == '"':
		_, _, err := p.textBytes()
		return err
	case p.Word("true"), p.Word("false"), p.Word("null"):
		return nil
	case c == '-' || c >= '0' && c <= '9':
		_, err := p.Number()
		return err
	}
	return ErrJSON
}

// SkipUnknown skips a value that this program does not know, so that Watch keeps
// the text of the value around it.
func (p *Parser) SkipUnknown() error {
	p.unknown = true
	return p.Skip()
}

// SkipMember skips a member that is not one of known, as SkipUnknown does. Under UnmarshalExact it is a *MemberError.
func (p *Parser) SkipMember(name string, known ...string) error {
	if p.exact {
		return &MemberError{Name: name, Fault: notAMember, Known: known}
	}
	return p.SkipUnknown()
}

// Watch runs read, which reads one value. If read skipped something unknown, Watch
// returns the value's whole text, otherwise nil.
func (p *Parser) Watch(read func() error) (json.RawMessage, error) {
	p.skipSpace()
	start, before := p.pos, p.unknown
	p.unknown = false
	if err := read(); err != nil {
		return nil, err
	}
	var raw json.RawMessage
	if p.unknown {
		raw = append(json.RawMessage{}, p.data[start:p.pos]...)
	}
	p.unknown = p.unknown || before
	return raw, nil
}
