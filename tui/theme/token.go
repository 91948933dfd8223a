package theme

// Token names a meaning. The zero value is body text.
type Token int

// The meanings, in the order of the table.
const (
	Text Token = iota
	Muted
	Faint
	Border
	Focus
	Brand
	MoneyIn
	MoneyOut
	OK
	Pending
	Warn
	Danger
	Info
	Untrusted
	Key
	SelectBg
	ModalBg
	DangerBg
	SandboxBg
	QRInk
	QRPaper
)

// NoBg is the terminal's own background, which almost everything has.
const NoBg = Text

// Tokens lists every token.
func Tokens() []Token {
	all := make([]Token, 0, QRPaper+1)
	for t := Text; t <= QRPaper; t++ {
		all = append(all, t)
	}
	return all
}

// String returns the name that documents and colour tests use.
func (t Token) String() string {
	return [...]string{"text", "muted", "faint", "border", "focus", "brand", "money.in", "money.out", "ok", "pending",
		"warn", "danger", "info", "untrusted", "key", "select.bg", "modal.bg", "danger.bg", "sandbox.bg", "qr.ink", "qr.paper"}[t]
}

// Attr is a set of text attributes.
type Attr uint8

// The attributes; they may be combined.
const (
	Bold Attr = 1 << iota
	Dim
	Italic
	Reverse
)

// tint is one row of the colour table: how a token looks at each depth. An empty colour is the terminal's default.
type tint struct {
	dark, light         string // 24 bit
	darkANSI, lightANSI string // the 16 colours of the user's palette, by number
	attr                Attr   // with 16 colours
	mono                Attr   // without colour
}

// row returns a token's row of the colour table. No ANSI16 colour is 8, which is nearly the background on Solarized.
func row(t Token) tint {
	switch t {
	case Text:
		return tint{dark: "#E6E9EF", light: "#1B1F27"}
	case Muted:
		return tint{dark: "#9DA7B5", light: "#535C6B", attr: Dim}
	case Faint:
		return tint{dark: "#6F7A8B", light: "#7C8594", attr: Dim}
	case Border:
		return tint{dark: "#4A5566", light: "#AEB5C0", attr: Dim}
	case Focus:
		return tint{dark: "#5CC8FF", light: "#0067A8", darkANSI: "14", lightANSI: "4", mono: Bold}
	case Key:
		return tint{dark: "#5CC8FF", light: "#0067A8", darkANSI: "14", lightANSI: "4", attr: Bold, mono: Bold}
	case Brand:
		return tint{dark: "#F2B84B", light: "#805300", darkANSI: "3", lightANSI: "3", mono: Bold}
	case MoneyIn:
		return tint{dark: "#45D6D0", light: "#006B6B", darkANSI: "6", lightANSI: "6"}
	case MoneyOut:
		return tint{dark: "#FFB26B", light: "#A33B00", darkANSI: "3", lightANSI: "3"}
	case OK:
		return tint{dark: "#7BD88F", light: "#00675C", darkANSI: "2", lightANSI: "2"}
	case Pending:
		return tint{dark: "#C9A7FF", light: "#5B2DA8", darkANSI: "5", lightANSI: "5"}
	case Warn:
		return tint{dark: "#FFD84D", light: "#6B5A00", darkANSI: "11", lightANSI: "3", mono: Bold}
	default:
		return furtherRow(t)
	}
}

func furtherRow(t Token) tint {
	switch t {
	case Danger:
		return tint{dark: "#FF7D9C", light: "#B00045", darkANSI: "9", lightANSI: "1", mono: Bold}
	case Info:
		return tint{dark: "#8AB4FF", light: "#1F4FBF", darkANSI: "12", lightANSI: "4"}
	case Untrusted:
		return tint{dark: "#DCCBA8", light: "#5C4A20", attr: Italic}
	case SelectBg:
		return tint{dark: "#22304A", light: "#D9E6F6", attr: Reverse, mono: Reverse}
	case ModalBg:
		return tint{dark: "#1A1F2A", light: "#F0EDE6"}
	case DangerBg:
		return tint{dark: "#4A1526", light: "#FBE1E8"}
	case SandboxBg:
		return tint{dark: "#3A2A5E", light: "#E8DDFB", attr: Reverse, mono: Reverse}
	case QRInk:
		return tint{dark: "#000000", light: "#000000", darkANSI: "0", lightANSI: "0", mono: Reverse}
	case QRPaper:
		return tint{dark: "#FFFFFF", light: "#FFFFFF", darkANSI: "15", lightANSI: "15", mono: Reverse}
	}
	return tint{}
}

// contrast returns the colour of a token in the contrast theme.
func contrast(t Token, light bool) string {
	if t <= Border {
		if light {
			return "#000000"
		}
		return "#FFFFFF"
	}
	if !light {
		return row(t).dark
	}
	switch t {
	case Focus, Key:
		return "#00508A"
	case MoneyIn:
		return "#005757"
	case MoneyOut:
		return "#8A2F00"
	case OK:
		return "#00564C"
	case Pending:
		return "#4C1F9A"
	case Warn:
		return "#574900"
	case Danger:
		return "#9A003C"
	case Info:
		return "#163F9E"
	case Untrusted:
		return "#4D3D18"
	case Brand:
		return "#6B4500"
	}
	return row(t).light
}
