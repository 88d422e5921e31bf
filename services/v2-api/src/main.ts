import { runWebhookApi } from '@busbar/api';
import { v2Api } from './app';

void runWebhookApi(v2Api);
