//! Names of services whose keys have no shape of their own.

/// Names that mean nothing else.
#[rustfmt::skip] // A list of words, as text.
pub(crate) const NAMES: &[&str] = &[
    "abstractapi", "accuweather", "adafruit", "airbrake", "airtable", "airvisual", "algolia", "alienvault",
    "alphavantage", "amplitude", "anypoint", "apiflash", "apify", "apilayer", "appcues", "appfollow", "appsynergy",
    "artifactory", "asana", "assemblyai", "atlassian", "auth0", "autodesk", "avaza", "axonaut", "aylien",
    "bannerbear", "baremetrics", "basecamp", "bintray", "bitbucket", "bitfinex", "bitmex", "bittrex", "blocknative",
    "browserstack", "bugsnag", "buildkite", "calendarific", "campaignmonitor", "censys", "chargebee", "chartmogul",
    "checklyhq", "circleci", "clearbit", "clickhouse", "clickup", "clockify", "cloudconvert", "cloudflare",
    "cloudinary", "cloudmersive", "codacy", "codeclimate", "codecov", "coinapi", "coinbase", "coinlayer",
    "coinmarketcap", "commercejs", "confluence", "confluent", "contentful", "contentstack", "convertkit", "coveralls",
    "cryptocompare", "currencylayer", "currencyscoop", "databricks", "datadog", "dareboost", "deepgram",
    "detectlanguage", "digitalocean", "discord", "discourse", "disqus", "docparser", "docusign", "droneci", "dropbox",
    "dynatrace", "easypost", "elevenlabs", "etherscan", "eventbrite", "exchangerate", "facebook", "fastly",
    "finicity", "finnhub", "firebase", "fixerio", "flickr", "flightapi", "foursquare", "freshbooks", "freshdesk",
    "fullstory", "geckoboard", "getresponse", "giphy", "gitter", "gocardless", "grafana", "graphhopper", "groovehq",
    "gtmetrix", "hellosign", "helpscout", "heroku", "holidayapi", "honeycomb", "hubspot", "hunterio", "imagekit",
    "infura", "insightly", "intercom", "ipgeolocation", "ipinfo", "ipstack", "jenkins", "jfrog", "jumpcloud",
    "keycdn", "kickbox", "klaviyo", "knapsackpro", "kucoin", "languagelayer", "launchdarkly", "linkedin", "linked_in",
    "linked-in", "livechat", "loggly", "logzio", "lokalise", "mailboxlayer", "mailchimp", "mailerlite", "mailgun",
    "mailjet", "mailmodo", "mandrill", "mapbox", "mapquest", "marketstack", "mattermost", "mavenlink", "maxmind",
    "mediastack", "meraki", "messagebird", "message-bird", "message_bird", "mixpanel", "moralis", "myfreshworks",
    "netlify", "new-relic", "newrelic", "new_relic", "newsapi", "nytimes", "new-york-times", "newyorktimes",
    "omnisend", "onesignal", "opencagedata", "openuv", "openweather", "opsgenie", "optimizely", "packagecloud",
    "pagerduty", "partnerstack", "pastebin", "paypal", "paystack", "pdflayer", "pepipost", "pingdom", "pipedrive",
    "pixabay", "plaid", "planetscale", "positionstack", "posthog", "postageapp", "privateai", "private_ai",
    "private-ai", "pubnub", "pusher", "quickbase", "rapidapi", "rebrandly", "recaptcha", "riotgames", "rocketreach",
    "rollbar", "runpod", "salesforce", "saucelabs", "scaleway", "scalr", "scraperapi", "scrapestack", "scrapingant",
    "scrapingbee", "screenshotlayer", "securitytrails", "sendbird", "sendgrid", "sendinblue", "serpapi", "shodan",
    "shopify", "shotstack", "signalwire", "smartsheet", "snipcart", "snyk", "sonarqube", "sourcegraph", "sparkpost",
    "splunk", "spoonacular", "spotify", "squarespace", "statuscake", "stockdata", "stormglass", "storyblok", "stripe",
    "sumologic", "supabase", "surveymonkey", "telegram", "testrail", "ticketmaster", "timezonedb", "toggl", "tomtom",
    "tradier", "transferwise", "travisci", "trello", "twelvedata", "twilio", "twitch", "twitter", "typeform",
    "unsplash", "uplead", "uptimerobot", "urlscan", "userstack", "vatlayer", "virustotal", "vultr", "walkscore",
    "wandb", "weatherapi", "weatherbit", "weatherstack", "webex", "wepay", "worldweather", "wrike", "yandex",
    "youneedabudget", "zendesk", "zenkit", "zenscrape", "zeplin", "zerobounce", "zerotier", "zipcodeapi",
];

/// Names that are ordinary words too, or parts of many.
#[rustfmt::skip] // A list of words, as text.
pub(crate) const WORDS: &[&str] = &[
    "ably", "adobe", "alchemy", "alibaba", "amazon", "apollo", "azure", "beamer", "bitly", "canny", "cohere",
    "column", "courier", "daily", "databox", "delighted", "diffbot", "dwolla", "dynalist", "edenai", "enigma", "etsy",
    "figma", "flutterwave", "frameio", "front", "getgist", "github", "gitlab", "google", "guardian", "gyazo",
    "hereapi", "holistic", "impala", "infracost", "instabot", "ionic", "jira", "kraken", "linear", "lob", "looker",
    "magnetic", "mailsac", "mesibo", "miro", "mockaroo", "monday", "mux", "nimble", "notion", "nuget", "okta",
    "onfleet", "openai", "parseur", "plivo", "podio", "postman", "prodpad", "quandl", "rawg", "ritekit", "segment",
    "semaphore", "sentry", "shippo", "shortcut", "sidekiq", "slack", "sonar", "square", "stackhawk", "sumo",
    "swiftype", "tallyfy", "tatumio", "teletype", "telegr", "tines", "travis", "uploadcare", "upwave", "vercel",
    "vimeo", "voiceflow", "vouchery", "webflow", "xray", "yelp", "youtube", "zapier",
];
