import { runApi } from '@busbar/runtime';
import { createV2Api } from './service';

void runApi('v2-api', createV2Api);
