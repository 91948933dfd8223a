package setting

import (
	"fmt"
	"os"
)

// Read reads the settings from all sources and sets their variables. file is called once
// the early settings are set, and returns the text of the file and its path for errors;
// no text means that there is no file.
func (t *Table) Read(file func() (text []byte, path string, err error)) error {
	if err := t.readEnvironment(os.Environ()); err != nil {
		return err
	}
	if err := t.store(func(s *Setting) bool { return s.Early }); err != nil {
		return err
	}
	text, path, err := file()
	if err != nil {
		return err
	}
	if err := t.readFile(text, path); err != nil {
		return err
	}
	if err := t.store(func(s *Setting) bool { return !s.Early }); err != nil {
		return err
	}
	return t.checkEffect()
}

// store sets the variables of some settings to the values of the preferred sources.
func (t *Table) store(which func(*Setting) bool) error {
	for i := range t.settings {
		s := &t.settings[i]
		if !which(s) {
			continue
		}
		text := t.viper.GetString(s.Name)
		if text == "" && t.Source(s.Name) == FromDefault {
			continue
		}
		if _, err := s.parse(text); err != nil {
			return s.valueError("--"+s.Name, text, err)
		}
	}
	return nil
}

// checkEffect refuses flags that have no effect with the other settings. The
// environment and the file may hold settings for another run.
func (t *Table) checkEffect() error {
	for i := range t.settings {
		s := &t.settings[i]
		if s.Idle == nil || t.Source(s.Name) != FromFlag {
			continue
		}
		if why := s.Idle(); why != "" {
			return fmt.Errorf("--%s has no effect %s", s.Name, why)
		}
	}
	return nil
}

// ReadFile is Read without flags and the environment.
func (t *Table) ReadFile(file func() (text []byte, path string, err error)) error {
	text, path, err := file()
	if err == nil {
		err = t.readFile(text, path)
	}
	if err != nil {
		return err
	}
	for i := range t.settings {
		s := &t.settings[i]
		if _, there := t.fileText[s.Name]; there || s.Default == "" {
			continue
		}
		if _, err := s.parse(s.Default); err != nil {
			return s.valueError(s.Name, s.Default, err)
		}
	}
	return nil
}
