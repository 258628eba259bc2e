// This file is about PERFORMANCE.md, whose table `make bench` writes.

package bench

import (
	"fmt"
	"os"
	"strings"
	"sync"
)

const (
	writesFigures = "KUBECTL_DRA_FIGURES" // the path of PERFORMANCE.md
	tableStart    = "<!-- make bench writes from here -->\n"
	tableEnd      = "<!-- to here -->\n"
)

var figures struct {
	sync.Mutex
	rows []string
}

// told prints a figure and keeps it for the table.
func told(what, ours, theirs, ratio, bar string) {
	fmt.Printf("BENCH %s: %s (%s against %s, bar %s)\n", what, ratio, ours, theirs, bar)
	figures.Lock()
	defer figures.Unlock()
	row := fmt.Sprintf("| %s | %s | %s | %s | %s |\n", what, ours, theirs, ratio, bar)
	if last := len(figures.rows) - 1; last >= 0 && strings.HasPrefix(figures.rows[last], "| "+what+" |") {
		figures.rows[last] = row // measured once more
		return
	}
	figures.rows = append(figures.rows, row)
}

// writeFigures replaces the table, if that is wanted.
func writeFigures() error {
	path := os.Getenv(writesFigures)
	if path == "" {
		return nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	before, rest, found := strings.Cut(string(text), tableStart)
	_, after, ends := strings.Cut(rest, tableEnd)
	if !found || !ends {
		return fmt.Errorf("%s has no place for the figures: write %s and %s on lines of their own", path, strings.TrimSpace(tableStart), strings.TrimSpace(tableEnd))
	}
	table := "| what | kubectl-dra | the other | ratio | at most |\n|---|---|---|---|---|\n" + strings.Join(figures.rows, "")
	return os.WriteFile(path, []byte(before+tableStart+table+tableEnd+after), 0o644)
}
