"""An operator of somebody's: it greets each ConfigMap that asks for it."""

import kopf

@kopf.on.create('', 'v1', 'configmaps', labels={'example.com/greet': 'yes'})
def greet(patch, name, **_):
    patch.metadata.annotations['example.com/greeted'] = name
