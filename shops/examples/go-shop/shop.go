// A shop on plain Go that was made from the manual alone. It sells one book, refunds it, and tells a
// buyer who paid too little what is missing. Orders are kept in memory: yours are in a database.
package main

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"math/big"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"
)

const price, currency = "19.90", "EUR"

var shopURL = os.Getenv("SHOP_URL")

// Order says open, underpaid, paid, refunding, refunded.
type Order struct {
	Number, State, Checkout, URL, Refund string
}

// Checkout is what the shop reads of one.
type Checkout struct {
	State, Total, BillingCurrency, HostedCheckoutURL string
}

var (
	mutex  sync.Mutex
	orders = map[string]*Order{}
)

func find(isIt func(*Order) bool) (Order, bool) {
	mutex.Lock()
	defer mutex.Unlock()
	for _, order := range orders {
		if isIt(order) {
			return *order, true
		}
	}
	return Order{}, false
}

func byNumber(number string) (Order, bool) {
	return find(func(order *Order) bool { return order.Number == number })
}

// move says whether this call moved the order: of two at once only one does.
func move(number, after string, before ...string) bool {
	mutex.Lock()
	defer mutex.Unlock()
	for _, state := range before {
		if order := orders[number]; order.State == state {
			order.State = after
			return true
		}
	}
	return false
}

func buy(answer http.ResponseWriter, request *http.Request) {
	random := make([]byte, 8)
	if _, err := rand.Read(random); err != nil {
		fail(answer, err)
		return
	}
	number := hex.EncodeToString(random)
	type fields = map[string]any
	var made struct{ ID, URL string }
	err := ask("POST", "/checkout/hosted", "order-"+number, fields{
		"charge": fields{
			"billingCurrency": currency,
			"lineItems":       []fields{{"description": "A good book", "netAmount": price, "quantity": "1"}},
		},
		"pageSettings": fields{"returnUrl": shopURL + "/thanks?order=" + number, "cancelUrl": shopURL},
		"webhook":      shopURL + "/quittance",
		"meta":         fields{"order": number},
	}, &made)
	if err != nil {
		fail(answer, err)
		return
	}
	mutex.Lock()
	orders[number] = &Order{Number: number, State: "open", Checkout: made.ID, URL: made.URL}
	mutex.Unlock()
	http.Redirect(answer, request, made.URL, http.StatusSeeOther)
}

// look asks the service how far an order is: no webhook and no buyer is believed.
func look(order Order) error {
	switch order.State {
	case "open", "underpaid":
		var got struct{ Checkout Checkout }
		if err := ask("GET", "/checkout?id="+order.Checkout, "", nil, &got); err != nil {
			return err
		}
		isForThis := isSame(got.Checkout.Total, price) && got.Checkout.BillingCurrency == currency
		if !isForThis {
			return nil
		}
		if got.Checkout.State == "COMPLETED" && move(order.Number, "paid", "open", "underpaid") {
			fmt.Println("ship order", order.Number)
		}
		if got.Checkout.State == "UNDERPAID" {
			move(order.Number, "underpaid", "open")
		}
	case "refunding":
		var got struct{ Refund struct{ State string } }
		if err := ask("GET", "/refund?id="+order.Refund, "", nil, &got); err != nil {
			return err
		}
		if got.Refund.State == "COMPLETED" {
			move(order.Number, "refunded", "refunding")
		}
		if got.Refund.State == "FAILED" {
			move(order.Number, "paid", "refunding")
		}
	}
	return nil
}

// isSame compares exactly: 19.90 comes as 19.9.
func isSame(one, other string) bool {
	a, isNumber := new(big.Rat).SetString(one)
	b, isOther := new(big.Rat).SetString(other)
	return isNumber && isOther && a.Cmp(b) == 0
}

func receive(answer http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(answer, request.Body, 1<<20))
	header := request.Header
	secret := os.Getenv("QUITTANCE_WEBHOOK_SECRET")
	isGenuine := err == nil && WebhookIsGenuine(secret, header.Get("webhook-id"),
		header.Get("webhook-timestamp"), header.Get("webhook-signature"), body, time.Now().Unix(), 300)
	if !isGenuine {
		http.Error(answer, "not genuine", http.StatusBadRequest)
		return
	}
	var event struct {
		Data struct{ Checkout, Refund struct{ ID string } }
	}
	if json.Unmarshal(body, &event) != nil {
		http.Error(answer, "no event", http.StatusBadRequest)
		return
	}
	order, isKnown := find(func(order *Order) bool {
		return order.Checkout == event.Data.Checkout.ID ||
			(order.Refund != "" && order.Refund == event.Data.Refund.ID)
	})
	if isKnown {
		// Not 2xx: it is sent again.
		if err := look(order); err != nil {
			fail(answer, err)
			return
		}
	}
	answer.WriteHeader(http.StatusNoContent)
}

func thank(answer http.ResponseWriter, request *http.Request) {
	order, isKnown := byNumber(request.URL.Query().Get("order"))
	if !isKnown {
		http.NotFound(answer, request)
		return
	}
	if err := look(order); err != nil {
		fail(answer, err)
		return
	}
	order, _ = byNumber(order.Number)
	answer.Header().Set("content-type", "text/html; charset=utf-8")
	texts := map[string]string{
		"open":      "We wait for your payment.",
		"underpaid": `Something is missing: <a href="` + order.URL + `">pay the rest</a>.`,
		"paid":      "Thank you. Your book is on its way.",
		"refunding": "Your money is on its way back.",
		"refunded":  "You have your money back.",
	}
	fmt.Fprintf(answer, "<p>%s</p>", texts[order.State])
}

func refund(answer http.ResponseWriter, request *http.Request) {
	given := strings.TrimPrefix(request.Header.Get("authorization"), "Bearer ")
	token := os.Getenv("SHOP_ADMIN_TOKEN")
	if token == "" || subtle.ConstantTimeCompare([]byte(given), []byte(token)) != 1 {
		http.Error(answer, "forbidden", http.StatusForbidden)
		return
	}
	order, isKnown := byNumber(request.PathValue("number"))
	if !isKnown || (order.State != "paid" && order.State != "refunding") {
		http.Error(answer, "not paid", http.StatusConflict)
		return
	}
	var made struct{ Refund struct{ ID string } }
	body := map[string]any{"checkoutId": order.Checkout, "kind": "full"}
	if err := ask("POST", "/refund", "refund-"+order.Number, body, &made); err != nil {
		fail(answer, err)
		return
	}
	mutex.Lock()
	orders[order.Number].Refund = made.Refund.ID
	mutex.Unlock()
	move(order.Number, "refunding", "paid")
}

func show(answer http.ResponseWriter, request *http.Request) {
	order, isKnown := byNumber(request.PathValue("number"))
	if !isKnown {
		http.NotFound(answer, request)
		return
	}
	if err := look(order); err != nil {
		fail(answer, err)
		return
	}
	order, _ = byNumber(order.Number)
	answer.Header().Set("content-type", "application/json")
	_ = json.NewEncoder(answer).Encode(map[string]string{"state": order.State})
}

func fail(answer http.ResponseWriter, err error) {
	log.Print(err)
	http.Error(answer, "try again later", http.StatusBadGateway)
}

func main() {
	http.HandleFunc("GET /{$}", func(answer http.ResponseWriter, _ *http.Request) {
		answer.Header().Set("content-type", "text/html; charset=utf-8")
		fmt.Fprint(answer, `<form method="post" action="/buy"><button>A good book</button></form>`)
	})
	http.HandleFunc("POST /buy", buy)
	http.HandleFunc("POST /quittance", receive)
	http.HandleFunc("GET /thanks", thank)
	http.HandleFunc("GET /orders/{number}", show)
	http.HandleFunc("POST /orders/{number}/refund", refund)
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
}
