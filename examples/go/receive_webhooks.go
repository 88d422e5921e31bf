// Receives the events of a webhook: verifies the signature, stores the event, responds, and handles it then.
//
//	WEBHOOK_SECRET=whsec_… go run .
//
// A proxy in front of it has the certificate. The file is the database of this example: the ids are its unique index.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

const (
	maxBodyBytes = 65_536 // A body has at most 20 kB.
	maxMissing   = 1_000  // More missing numbers than a receiver of all types ever has.
	maxWaiting   = 10_000
)

type event struct {
	ID        string `json:"id"`
	Type      string `json:"type"`
	ChargerID string `json:"chargerId"`
	Sequence  *int   `json:"sequence"` // Nil for events of no charger.
	Data      struct {
		SocketID int    `json:"socketId"`
		State    string `json:"state"`
	} `json:"data"`
}

// Registration: a charger that is deleted and created again counts anew. The id has its registration in front of the sequence.
func (e event) registration() string { return e.ID[:max(strings.LastIndex(e.ID, "_"), 0)] }

type inbox struct {
	sync.Mutex
	file *os.File
	ids  map[string]bool
}

type sequences struct {
	last    int
	missing map[int]bool
}

type handler struct {
	registrations map[string]*sequences
	states        map[string]int
}

func main() {
	webhook, err := standardwebhooks.NewWebhook(os.Getenv("WEBHOOK_SECRET"))
	check(err)
	handler := handler{registrations: map[string]*sequences{}, states: map[string]int{}}
	inbox := restore(setting("EVENTS_FILE", "events.jsonl"), handler)
	waiting := make(chan event, maxWaiting)
	go func() {
		for each := range waiting {
			handler.handle(each, func(line string) { fmt.Println(line) })
		}
	}()
	listener, err := net.Listen("tcp", net.JoinHostPort(setting("HOST", "127.0.0.1"), setting("PORT", "8080")))
	check(err)
	fmt.Println("listening on", listener.Addr().(*net.TCPAddr).Port)
	receive := func(response http.ResponseWriter, request *http.Request) {
		response.WriteHeader(inbox.receive(webhook, response, request, waiting))
	}
	server := &http.Server{Handler: http.HandlerFunc(receive), ReadTimeout: 15 * time.Second, IdleTimeout: time.Minute}
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM)
	go func() {
		<-stop
		server.Close()
	}()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		check(err)
	}
}

// Receive returns the status of the response.
func (i *inbox) receive(webhook *standardwebhooks.Webhook, response http.ResponseWriter, request *http.Request, waiting chan<- event) int {
	body, err := io.ReadAll(http.MaxBytesReader(response, request.Body, maxBodyBytes))
	if err != nil {
		return http.StatusRequestEntityTooLarge
	}
	// Over the bytes as they were received: another serializer would write other ones.
	if err := webhook.Verify(body, request.Header); err != nil {
		log.Println("rejected:", err)
		return http.StatusUnauthorized
	}
	if err := i.store(body, waiting); err != nil {
		// Not stored: the service keeps the event and tries again.
		log.Println(err)
		return http.StatusServiceUnavailable
	}
	// Also for a duplicate: the response to its first delivery was lost.
	return http.StatusNoContent
}

func (i *inbox) store(body []byte, waiting chan<- event) error {
	var received event
	var line bytes.Buffer
	if err := json.Unmarshal(body, &received); err != nil {
		return err
	}
	if err := json.Compact(&line, body); err != nil {
		return err
	}
	line.WriteByte('\n')
	i.Lock()
	defer i.Unlock()
	if i.ids[received.ID] {
		return nil
	}
	if _, err := i.file.Write(line.Bytes()); err != nil {
		return err
	}
	// On the disk before the response: the service does not send it again.
	if err := i.file.Sync(); err != nil {
		return err
	}
	i.ids[received.ID] = true
	// In the order of storing. A full channel delays the response, and so slows the service down.
	waiting <- received
	return nil
}

// Restore reads what was stored before. It drops an event that was half written, which was not acknowledged.
func restore(path string, handler handler) *inbox {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	check(err)
	content, err := io.ReadAll(file)
	check(err)
	whole := content[:bytes.LastIndexByte(content, '\n')+1]
	check(file.Truncate(int64(len(whole))))
	ids := map[string]bool{}
	for _, line := range bytes.Split(whole, []byte("\n")) {
		if len(line) == 0 {
			continue
		}
		var stored event
		check(json.Unmarshal(line, &stored))
		ids[stored.ID] = true
		handler.handle(stored, func(string) {})
	}
	return &inbox{file: file, ids: ids}
}

func (h handler) handle(e event, show func(string)) {
	show(fmt.Sprintf("event %s %s", e.ID, e.Type))
	if e.Sequence == nil {
		return
	}
	h.checkGap(e, *e.Sequence, show)
	if e.Type != "socket.state_changed" {
		return
	}
	// An event that arrives late must not undo a newer one.
	key := fmt.Sprintf("%s/%d", e.registration(), e.Data.SocketID)
	if h.states[key] > *e.Sequence {
		return
	}
	h.states[key] = *e.Sequence
	show(fmt.Sprintf("state %s/%d %s", e.ChargerID, e.Data.SocketID, e.Data.State))
}

// CheckGap: the numbers have no gap only for a webhook that has all types: ["*", "socket.state_reported", "meter.values"].
func (h handler) checkGap(e event, sequence int, show func(string)) {
	known := h.registrations[e.registration()]
	if known == nil {
		h.registrations[e.registration()] = &sequences{last: sequence, missing: map[int]bool{}}
		return
	}
	if known.missing[sequence] {
		delete(known.missing, sequence)
		show(fmt.Sprintf("late %s %d", e.ChargerID, sequence))
	}
	if sequence > known.last+1 {
		show(fmt.Sprintf("gap %s %d-%d", e.ChargerID, known.last+1, sequence-1))
	}
	for n := known.last + 1; n < sequence && len(known.missing) < maxMissing; n++ {
		known.missing[n] = true
	}
	known.last = max(known.last, sequence)
}

func setting(name, otherwise string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return otherwise
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
