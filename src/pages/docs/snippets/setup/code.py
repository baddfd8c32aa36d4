from quittance import Quittance

quittance = Quittance(base_url="{{url}}", key="{{key}}", secret="{{secret}}")
