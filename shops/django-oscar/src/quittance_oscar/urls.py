from django.urls import path

from . import views

app_name = "quittance_oscar"

urlpatterns = [
    path("pay/<str:token>/", views.pay, name="pay"),
    path("return/<str:token>/", views.come_back, name="return"),
    path("webhook/", views.webhook, name="webhook"),
    path("refunds/<str:number>/", views.give_back, name="refunds"),
]
