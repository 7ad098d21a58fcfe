// Reads a log that was exported as tiles with the Go project's own transparency log packages: the checkpoint with
// sumdb/note, every tile and proof with sumdb/tlog. Usage: check DIR VKEY PROOFS, where PROOFS has lines
// "record INDEX LEAF HASH…" and "tree SIZE ROOT HASH…", all hashes in base64. Prints what it accepted.
package main

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

const height = 8

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

type directory string

func (d directory) Height() int { return height }

func (d directory) SaveTiles([]tlog.Tile, [][]byte) {}

func (d directory) ReadTiles(tiles []tlog.Tile) ([][]byte, error) {
	var all [][]byte
	for _, tile := range tiles {
		name := strings.Replace(tile.Path(), fmt.Sprintf("tile/%d/", height), "tile/", 1)
		data, err := os.ReadFile(filepath.Join(string(d), name))
		if err != nil {
			return nil, err
		}
		all = append(all, data)
	}
	return all, nil
}

func (d directory) bundle(number, width int64) ([][]byte, error) {
	tile := tlog.Tile{H: height, L: 0, N: number, W: int(width)}
	name := strings.Replace(tile.Path(), fmt.Sprintf("tile/%d/0/", height), "tile/entries/", 1)
	data, err := os.ReadFile(filepath.Join(string(d), name))
	var entries [][]byte
	for err == nil && len(data) > 0 {
		end := 2 + int(binary.BigEndian.Uint16(data))
		entries, data = append(entries, data[2:end]), data[end:]
	}
	return entries, err
}

func hash(text string) tlog.Hash {
	data, err := base64.StdEncoding.DecodeString(text)
	must(err)
	var found tlog.Hash
	if copy(found[:], data) != tlog.HashSize {
		must(fmt.Errorf("%q is no hash", text))
	}
	return found
}

func hashes(words []string) []tlog.Hash {
	var all []tlog.Hash
	for _, word := range words {
		all = append(all, hash(word))
	}
	return all
}

func main() {
	dir := directory(os.Args[1])
	verifier, err := note.NewVerifier(os.Args[2])
	must(err)
	signed, err := os.ReadFile(filepath.Join(string(dir), "checkpoint"))
	must(err)
	opened, err := note.Open(signed, note.VerifierList(verifier))
	must(err)
	lines := strings.Split(opened.Text, "\n")
	size, err := strconv.ParseInt(lines[1], 10, 64)
	must(err)
	tree := tlog.Tree{N: size, Hash: hash(lines[2])}
	reader := tlog.TileHashReader(tree, dir)

	entries := int64(0)
	for number := int64(0); number*256 < size; number++ {
		width := min(256, size-number*256)
		bundle, err := dir.bundle(number, width)
		must(err)
		var indexes []int64
		for offset := range bundle {
			indexes = append(indexes, tlog.StoredHashIndex(0, number*256+int64(offset)))
		}
		leaves, err := reader.ReadHashes(indexes)
		must(err)
		for offset, entry := range bundle {
			if tlog.RecordHash(entry) != leaves[offset] {
				must(fmt.Errorf("entry %d is not in the tree", number*256+int64(offset)))
			}
		}
		entries += int64(len(bundle))
	}
	if entries != size {
		must(fmt.Errorf("%d entries for a tree of %d", entries, size))
	}

	proofs, err := os.ReadFile(os.Args[3])
	must(err)
	records, trees := 0, 0
	for _, line := range strings.Split(strings.TrimSpace(string(proofs)), "\n") {
		words := strings.Fields(line)
		number, err := strconv.ParseInt(words[1], 10, 64)
		must(err)
		switch words[0] {
		case "record":
			must(tlog.CheckRecord(hashes(words[3:]), tree.N, tree.Hash, number, hash(words[2])))
			records++
		case "tree":
			root, err := tlog.TreeHash(number, reader)
			must(err)
			if root != hash(words[2]) {
				must(fmt.Errorf("another tree head at %d", number))
			}
			must(tlog.CheckTree(hashes(words[3:]), tree.N, tree.Hash, number, root))
			trees++
		}
	}
	fmt.Printf("%d entries, %d inclusion proofs, %d consistency proofs\n", entries, records, trees)
}
