"""The shop of `project` on loopback, in a process that sells one book; tests buy from it over HTTP."""

import re
import threading
from decimal import Decimal

import django

django.setup()

import httpx  # noqa: E402
from django.contrib.auth import get_user_model  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.core.servers.basehttp import ThreadedWSGIServer, WSGIRequestHandler  # noqa: E402
from django.core.wsgi import get_wsgi_application  # noqa: E402
from oscar.core.loading import get_model  # noqa: E402

STAFF = ("owner@shop.example", "owner-of-the-shop")


class Quiet(WSGIRequestHandler):
    def log_message(self, *args):
        pass


def set_up():
    call_command("migrate", verbosity=0)
    get_model("address", "Country").objects.create(
        iso_3166_1_a2="DE", iso_3166_1_a3="DEU", iso_3166_1_numeric="276",
        printable_name="Germany", name="Germany", is_shipping_country=True,
    )
    kind = get_model("catalogue", "ProductClass").objects.create(name="Book", track_stock=True)
    book = get_model("catalogue", "Product").objects.create(
        title="A good book", product_class=kind, structure="standalone", is_public=True
    )
    partner = get_model("partner", "Partner").objects.create(name="House")
    get_model("partner", "StockRecord").objects.create(
        product=book, partner=partner, partner_sku="b1", price=Decimal("19.90"),
        price_currency="EUR", num_in_stock=100,
    )
    name, password = STAFF
    get_user_model().objects.create_superuser(username="owner", email=name, password=password)
    return book


def serve():
    """The origin of the shop, which ends with the process."""
    server = ThreadedWSGIServer(("127.0.0.1", 0), Quiet, ipv6=False)
    server.daemon_threads = True
    server.set_app(get_wsgi_application())
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"


class Customer:
    """A browser without a screen: keeps cookies, fills in forms."""

    def __init__(self, origin):
        self.http = httpx.Client(base_url=origin, follow_redirects=True, timeout=60)

    def post(self, path, data, follow=True):
        token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', self.http.get(path).text)
        fields = {"csrfmiddlewaretoken": token.group(1) if token else "", **data}
        return self.http.post(path, data=fields, follow_redirects=follow)

    def sign_in(self):
        name, password = STAFF
        return self.post("/accounts/login/", {
            "login-username": name, "login-password": password, "login_submit": "Log In",
        })

    def buy(self, book, quantity=1):
        """To where the shop sends the customer who places the order."""
        page = self.http.get(book.get_absolute_url()).text
        token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page).group(1)
        self.http.post(f"/basket/add/{book.pk}/", data={"csrfmiddlewaretoken": token, "quantity": quantity})
        self.post("/checkout/", {"username": "ada@shop.example", "options": "anonymous"})
        self.post("/checkout/shipping-address/", {
            "first_name": "Ada", "last_name": "Example", "line1": "Street 1", "line4": "Berlin",
            "postcode": "10115", "country": "DE",
        })
        preview = self.http.get("/checkout/preview/")
        token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', preview.text).group(1)
        fields = {"csrfmiddlewaretoken": token, "action": "place_order"}
        placed = self.http.post("/checkout/preview/", data=fields, follow_redirects=False)
        assert placed.status_code == 302, placed.text[-3000:]
        paying = self.http.get(placed.headers["location"], follow_redirects=False)
        assert paying.status_code == 302, paying.text[-3000:]
        return paying.headers["location"]
