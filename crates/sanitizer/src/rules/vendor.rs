//! Beginnings that only one vendor uses: what looks random behind one is a token, however long.
//!
//! Where a vendor's own shape is longer than what is found, a newer or a cut token is more likely than a word.
//! Beginnings that words or other vendors share (`npm_`, `hf_`, `sgp_`, `xoxb-`) are found by their exact shapes alone.

use super::{Rule, Surroundings::Random};
use crate::Class::{ApiKey, Token};

/// The name of the rule.
pub(crate) const VENDOR: &str = "vendor-token";

#[rustfmt::skip] // A row a rule.
pub(super) const RULES: &[Rule] = &[
    Rule::new(VENDOR, KEYWORDS, SHAPE, 300, Token).least(16).around(Random),
    Rule::new("aws-longer-access-key-id", &["akia"], r"AKIA[0-9A-Z]{12,40}", 300, ApiKey).least(12).around(Random),
];

#[rustfmt::skip] // A list of words, as text.
const KEYWORDS: &[&str] = &[
    "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "gldt-", "glrt-", "glft-", "glimt-", "glsoat-", "glffct-",
    "glrtr-", "glptt-", "gloas-", "glagent-", "glcbt-", "gr1348941", "gocspx-", "ya29.", "dop_v1_", "doo_v1_", "dor_v1_", "hrku-",
    "pscale_tkn_", "pscale_pw_", "pscale_oauth_", "dckr_pat_", "dckr_oat_", "rubygems_", "hexpm_", "ccipat_", "cciprj_", "bkua_",
    "figd_", "figo_", "pmak-", "pmat-", "sntrys_", "sntryu_", "dt0c01.", "glsa_", "nrak-", "xkeysib-", "xsmtpsib-", "shpat_",
    "shpca_", "shppa_", "shpss_", "sk_live_", "rk_live_", "sk_test_", "rk_test_", "whsec_", "lin_api_", "lin_oauth_", "sk-ant-",
    "sk-proj-", "sk-svcacct-", "sk-admin-", "sk-or-v1-", "sk-lf-", "gsk_", "pplx-", "xai-", "nvapi-", "tvly-", "pcsk_", "hvs.",
    "hvb.", "hvr.", "dp.pt.", "dp.st.", "dp.ct.", "tskey-", "sbp_", "sb_secret_", "nfp_", "atatt3", "atbb", "rzp_live_",
    "rzp_test_", "ntn_", "tfp_", "phx_", "shippo_live_", "shippo_test_", "duffel_live_", "duffel_test_", "pat-na1-", "pat-eu1-",
    "cfpat-", "lsv2_pt_", "lsv2_sk_", "sqp_", "squ_", "sqa_", "pypi-age", "rdme_", "dnkey-", "avns_", "age-secret-key-1",
    "sq0atp-", "sq0csp-", "ddp_", "vercel_blob_rw_", "napi_",
];

/// The same in the case that the vendors write.
const SHAPE: &str = r"(?x:(?:
    gh[pousr]_ | github_pat_ | gl(?:pat|dt|rt|ft|imt|soat|ffct|rtr|ptt|oas|agent|cbt)- | GR1348941 | GOCSPX- | ya29\.
    | do[opr]_v1_ | HRKU- | pscale_(?:tkn|pw|oauth)_ | dckr_[po]at_ | rubygems_ | hexpm_ | CCI(?:PAT|PRJ)_ | bkua_ | fig[do]_
    | PMA[KT]- | sntry[su]_ | dt0c01\. | glsa_ | NRAK- | x(?:key|smtp)sib- | shp(?:at|ca|pa|ss)_ | [sr]k_(?:live|test)_ | whsec_
    | lin_(?:api|oauth)_ | sk-ant-(?:api|oat|ort|sid)[0-9]{2}- | sk-(?:proj|svcacct|admin|or-v1|lf)- | gsk_ | pplx- | xai-
    | nvapi- | tvly- | pcsk_ | hv[sbr]\. | dp\.[psc]t\. | tskey- | sbp_ | sb_secret_ | nfp_ | ATATT3 | ATBB
    | rzp_(?:live|test)_ | ntn_ | tfp_ | phx_ | (?:shippo|duffel)_(?:live|test)_ | pat-(?:na|eu)1- | CFPAT-
    | lsv2_[ps][tk]_ | sq[pua]_ | pypi-AgE | rdme_ | dnkey- | AVNS_ | AGE-SECRET-KEY-1 | sq0(?:at|cs)p- | ddp_
    | vercel_blob_rw_ | napi_
    )[A-Za-z0-9_-]{16,})";
