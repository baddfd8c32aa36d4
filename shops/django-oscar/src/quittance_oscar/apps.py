from django.apps import AppConfig


class QuittanceConfig(AppConfig):
    name = "quittance_oscar"
    label = "quittance_oscar"
    verbose_name = "Quittance"
    default_auto_field = "django.db.models.BigAutoField"
