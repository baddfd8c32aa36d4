"""Payments of orders of django-oscar on the payment page of Quittance."""
