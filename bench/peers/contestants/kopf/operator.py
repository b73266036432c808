"""The Message operator on kopf, which comes without a client for other objects: aiohttp, which it brings along, asks the API."""

import base64
import copy
import json
import os
import ssl

import aiohttp
import kopf

LABEL = 'bench.knudge.dev/message'
MESSAGES = '/apis/myorg.dev/v1/namespaces/{}/messages/{}/status'

with open(os.environ['POD_SPEC'], encoding='utf-8') as file:
    SPEC = json.load(file)


@kopf.on.startup()
async def connect(memo, **_):
    with open(os.environ['KUBECONFIG'], encoding='utf-8') as file:
        config = json.load(file)
    cluster, user = config['clusters'][0]['cluster'], config['users'][0]['user']
    trusted = ssl.create_default_context(cadata=base64.b64decode(cluster['certificate-authority-data']).decode())
    memo.api = aiohttp.ClientSession(
        cluster['server'],
        headers={'authorization': f"Bearer {user['token']}"},
        connector=aiohttp.TCPConnector(ssl=trusted),
    )


@kopf.on.cleanup()
async def leave(memo, **_):
    await memo.api.close()


@kopf.on.resume('myorg.dev', 'v1', 'messages')
@kopf.on.create('myorg.dev', 'v1', 'messages')
async def make_pod(body, name, namespace, spec, memo, **_):
    pod = {
        'apiVersion': 'v1',
        'kind': 'Pod',
        'metadata': {'name': f'msg-{name}', 'labels': {LABEL: name}},
        'spec': copy.deepcopy(SPEC),
    }
    pod['spec']['containers'][0]['env'][0]['value'] = spec['text']
    kopf.adopt(pod, owner=body)
    async with memo.api.post(f'/api/v1/namespaces/{namespace}/pods', json=pod) as answer:
        if answer.status not in (201, 409):
            raise kopf.TemporaryError(f'the Pod was refused with {answer.status}', delay=1)


@kopf.on.event('pods', labels={LABEL: kopf.PRESENT})
async def tell(type, name, namespace, labels, status, memo, **_):
    conditions = status.get('conditions', [])
    is_ready = any(one['type'] == 'Ready' and one['status'] == 'True' for one in conditions)
    if type == 'DELETED' or not is_ready or memo.get('told'):
        return
    memo.told = True
    async with memo.api.patch(
        MESSAGES.format(namespace, labels[LABEL]),
        json={'status': {'phase': 'Processed', 'podName': name}},
        headers={'content-type': 'application/merge-patch+json'},
    ) as answer:
        if answer.status not in (200, 404):
            memo.told = False
            raise kopf.TemporaryError(f'the status was refused with {answer.status}', delay=1)
