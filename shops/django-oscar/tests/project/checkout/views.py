from oscar.apps.checkout.views import PaymentDetailsView as CorePaymentDetailsView
from quittance_oscar.checkout import QuittancePayment


class PaymentDetailsView(QuittancePayment, CorePaymentDetailsView):
    pass
