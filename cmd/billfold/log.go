package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"billfold/cmd/billfold/setting"
)

// logLevel is the least severe line that the log of a server has.
type logLevel string

const (
	logError logLevel = "error"
	logWarn  logLevel = "warn"
	logInfo  logLevel = "info"
	logDebug logLevel = "debug"
)

// defaultLogLevel is that of the reference, too.
const defaultLogLevel = logInfo

// Level implements slog.Leveler.
func (l logLevel) Level() slog.Level {
	switch l {
	case logError:
		return slog.LevelError
	case logWarn:
		return slog.LevelWarn
	case logDebug:
		return slog.LevelDebug
	case logInfo:
	}
	return slog.LevelInfo
}

// logFormat is the format of a line of the log.
type logFormat string

const (
	logText logFormat = "text"
	logJSON logFormat = "json"
)

// serverLog is the log of a server that nobody watches. Its level may be changed while it is used.
type serverLog struct {
	*slog.Logger
	level    *slog.LevelVar
	format   logFormat
	gathered *lineGatherer
}

// newServerLog returns the log that the settings describe, which writes to out. Its lines have all been written once flush was called.
func (s *settings) newServerLog(out io.Writer) *serverLog {
	l := &serverLog{level: new(slog.LevelVar), format: s.logFormat, gathered: newLineGatherer(out)}
	l.level.Set(s.logLevel.Level())
	options := &slog.HandlerOptions{Level: l.level}
	var handler slog.Handler = slog.NewTextHandler(l.gathered, options)
	if l.format == logJSON {
		handler = slog.NewJSONHandler(l.gathered, options)
	}
	l.Logger = slog.New(promptHandler{handler, l.gathered})
	l.gathered.lost = func(lines int) {
		slog.New(handler).Warn("log: lines were lost, because nobody read standard error", "lines", lines)
	}
	return l
}

// flush writes the lines that wait for others.
func (l *serverLog) flush() { l.gathered.flush() }

// levels are those of the log, the most severe first.
func levels() []logLevel { return []logLevel{logError, logWarn, logInfo, logDebug} }

// current returns the level that the log has.
func (l *serverLog) current() logLevel {
	for _, level := range levels() {
		if level.Level() == l.level.Level() {
			return level
		}
	}
	return defaultLogLevel
}

// set changes the level to the one of that name.
func (l *serverLog) set(name string) error {
	level := logLevel(name)
	if !slices.Contains(levels(), level) {
		return errors.New("the level is one of error, warn, info and debug; name one of these")
	}
	l.level.Set(level.Level())
	return nil
}

// lines returns where a server writes what is meant for whoever starts it: as it is, or in JSON a record for each line, whatever the
// level, so that everything it writes is in one form.
func (l *serverLog) lines() io.Writer {
	if l.format != logJSON {
		return directLines{l.gathered}
	}
	return &recordLines{handler: l.Handler(), flush: l.flush}
}

// recordLines makes a record of each line that is written to it.
type recordLines struct {
	handler slog.Handler
	flush   func()

	mu   sync.Mutex
	rest []byte // a line without its end
}

func (r *recordLines) Write(text []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	defer r.flush()
	r.rest = append(r.rest, text...)
	for line, rest, whole := bytes.Cut(r.rest, []byte{'\n'}); whole; line, rest, whole = bytes.Cut(r.rest, []byte{'\n'}) {
		level, message := slog.LevelInfo, string(line)
		if strings.HasPrefix(message, "warning: ") || strings.HasPrefix(message, "careful: ") {
			level = slog.LevelWarn
		}
		if err := r.handler.Handle(context.Background(), slog.NewRecord(time.Now(), level, message, 0)); err != nil {
			return 0, err
		}
		r.rest = rest
	}
	return len(text), nil
}

// rereadLevel sets the level to what the settings file says now, unless a flag or the environment says it, and prints how that ended.
func (p *program) rereadLevel(out io.Writer) {
	const name = "log-level"
	if from := p.settings.values.Source(name); from > setting.FromFile {
		p.logged.level.Set(p.settings.logLevel.Level())
		fmt.Fprintf(out, "SIGHUP: the log level stays %s, which a flag or the environment sets\n", p.settings.logLevel)
		return
	}
	filed := newSettings()
	filed.dataDir, filed.trust = p.settings.dataDir, p.settings.trust
	if err := filed.values.ReadFile(filed.readConfig); err != nil {
		fmt.Fprintf(out, "SIGHUP: the log level stays %s: %s\n", p.logged.current(), sentence(p.settings.values.HideSecrets(err)))
		return
	}
	if _, there := filed.values.InFile(name); !there {
		filed.logLevel = defaultLogLevel
	}
	p.logged.level.Set(filed.logLevel.Level())
	fmt.Fprintf(out, "SIGHUP: the log level is %s\n", filed.logLevel)
}
